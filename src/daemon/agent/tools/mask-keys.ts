import { beginOf } from "../../../text/cut-text.ts";

/** The place of a key in a text, and the rule that found it. */
export type SecretSpan = { readonly rule: string; readonly start: number; readonly end: number };

/** The begin of a string with its keys masked, at most so long, and how much of it is left out. */
export type MaskString = (value: string, most: number) => { readonly shown: string; readonly left: number };

/** Masks keys in what a tree says of a part of its text. */
export type MaskPart = (part: { readonly begin: number; readonly end: number }) => MaskString;

type Key = { readonly key: string; readonly mask: string };

/**
 * Masks the keys of a text, which are given in order, in strings that are made from its parts, such as a
 * title or the lines of a block: wherever a key stands in one, and the piece of a key that a part has.
 */
export function makeKeyMasker(text: string, secrets: readonly SecretSpan[]): MaskPart {
  if (secrets.length === 0) return () => cutString;
  const spans = mergeSpans(secrets);
  const keyOf = ({ rule, start, end }: SecretSpan): Key => ({
    key: text.slice(start, end),
    mask: `[masked: ${rule}]`,
  });
  const wholeAt = findKeys([...secrets, ...spans].map(keyOf));
  return ({ begin, end }) => {
    const pieces = spansAcross(spans, begin, end).map((span) =>
      keyOf({ ...span, start: Math.max(span.start, begin), end: Math.min(span.end, end) }),
    );
    const keyAt = (value: string, at: number): Key | undefined =>
      wholeAt(value, at) ?? pieces.find(({ key }) => value.startsWith(key, at));
    return (value, most) => {
      // What a mark such as `=` divides from a key is a piece of that, too.
      const around = value === "" ? undefined : pieces.find(({ key }) => key.includes(value));
      return around === undefined ? maskString(value, most, keyAt) : cutString(around.mask, most);
    };
  };
}

/** UTF-16 units behind a cut that tell whether it divides a letter from its marks. */
const aheadOfCut = 64;

const cutString: MaskString = (value, most) => {
  const shown = beginOf(value, most);
  return { shown, left: value.length - shown.length };
};

function maskString(
  value: string,
  most: number,
  keyAt: (value: string, at: number) => Key | undefined,
): ReturnType<MaskString> {
  let masked = "";
  let [from, at] = [0, 0];
  while (at < value.length && masked.length + at - from < most + aheadOfCut) {
    const found = keyAt(value, at);
    if (found === undefined) at += 1;
    else {
      masked += value.slice(from, at) + found.mask;
      at += found.key.length;
      from = at;
    }
  }
  const { shown, left } = cutString(masked + value.slice(from, at), most);
  return { shown, left: left + value.length - at };
}

/**
 * Makes a function that finds the longest of many keys at a place of a string. Most places are told by how
 * the keys begin.
 */
function findKeys(keys: readonly Key[]): (value: string, at: number) => Key | undefined {
  const byText = new Map(keys.map((one) => [one.key, one]));
  const shortest = keys.reduce((least, { key }) => Math.min(least, key.length), 16);
  const lengths = new Map<string, readonly number[]>();
  for (const [begin, alike] of Map.groupBy(byText.keys(), (key) => key.slice(0, shortest)))
    lengths.set(
      begin,
      [...new Set(alike.map(({ length }) => length))].toSorted((one, other) => other - one),
    );
  return (value, at) => {
    for (const length of lengths.get(value.slice(at, at + shortest)) ?? []) {
      const found = byText.get(value.slice(at, at + length));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Spans that overlap as one. */
function mergeSpans(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const merged: SecretSpan[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
  }
  return merged;
}

/** The spans that stand at the begin or the end of a part, and go on outside of it. */
function spansAcross(spans: readonly SecretSpan[], begin: number, end: number): readonly SecretSpan[] {
  const [before, last] = [lastBefore(spans, begin), lastBefore(spans, end)];
  return [
    ...(before !== undefined && before.end > begin ? [before] : []),
    ...(last !== undefined && last !== before && last.end > end ? [last] : []),
  ];
}

/** The last span that begins before a place. */
function lastBefore(spans: readonly SecretSpan[], place: number): SecretSpan | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return spans[low - 1];
}
