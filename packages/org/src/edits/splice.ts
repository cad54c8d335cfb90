import type { Range } from "../text/range.ts";

/** One change of a text: `insert` replaces the range, whose text must be `expect`. */
export type Splice = Range & { readonly insert: string; readonly expect: string };

/** The result of applying splices: a text, or the first splice whose range does not hold the expected text. */
export type SpliceResult =
  | { readonly code: "spliced"; readonly text: string }
  | { readonly code: "conflict"; readonly splice: Splice; readonly reason: string };

/** Applies splices, which must be in order and must not overlap. Ranges are offsets in the given text. If one does not fit, nothing changes. */
export function applySplices(text: string, splices: readonly Splice[]): SpliceResult {
  const parts: string[] = [];
  let kept = 0;
  for (const splice of splices) {
    const { begin, end, insert, expect } = splice;
    if (begin < kept || end < begin || end > text.length) {
      return { code: "conflict", splice, reason: `characters ${begin} to ${end} are not in the text` };
    }
    if (text.slice(begin, end) !== expect) {
      return { code: "conflict", splice, reason: `characters ${begin} to ${end} have changed` };
    }
    parts.push(text.slice(kept, begin), insert);
    kept = end;
  }
  return { code: "spliced", text: parts.join("") + text.slice(kept) };
}

/** Widens a change to whole lines, so that the splice also expects the text around an insertion. */
export function guardSplice(text: string, { begin, end, insert }: Range & { insert: string }): Splice {
  const atLineStart = begin === end && (begin === 0 || text[begin - 1] === "\n");
  const from = text.lastIndexOf("\n", begin - (atLineStart ? 2 : 1)) + 1;
  const lineEnd = end > from && text[end - 1] === "\n" ? end : text.indexOf("\n", end) + 1;
  const to = begin === end && atLineStart && begin > 0 ? begin : lineEnd === 0 ? text.length : lineEnd;
  return {
    begin: Math.max(0, from),
    end: to,
    insert: text.slice(Math.max(0, from), begin) + insert + text.slice(end, to),
    expect: text.slice(Math.max(0, from), to),
  };
}
