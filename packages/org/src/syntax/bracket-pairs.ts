/** The pairs of brackets in a stretch of text. */
export type BracketPairs = {
  /** Where the bracket closes that opens at an offset, if that is below `end`; else -1. Only brackets of its own kind are looked at. */
  readonly closing: (open: number, end: number) => number;
};

const closings: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["(", ")"],
  ["{", "}"],
]);

/** Pairs the brackets of a stretch, each kind when it is first asked for. */
export function pairBrackets(text: string, begin: number, end: number): BracketPairs {
  const known = new Map<string, ReadonlyMap<number, number>>();
  return {
    closing(open, limit) {
      const kind = text[open] ?? "";
      let pairs = known.get(kind);
      if (pairs === undefined) {
        pairs = pairsOf({ text, begin, end, open: kind, close: closings.get(kind) ?? "" });
        known.set(kind, pairs);
      }
      const close = pairs.get(open) ?? -1;
      return close < limit ? close : -1;
    },
  };
}

type Stretch = {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly open: string;
  readonly close: string;
};

function pairsOf({ text, begin, end, open, close }: Stretch): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const opened: number[] = [];
  for (let at = begin; at < end; at += 1) {
    if (text[at] === open) opened.push(at);
    else if (text[at] === close) {
      const partner = opened.pop();
      if (partner !== undefined) pairs.set(partner, at);
    }
  }
  return pairs;
}
