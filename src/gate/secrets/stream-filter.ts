import { makeVisible } from "../../text/visible.ts";
import { findKeys, unfinishedKey } from "./find-keys.ts";
import type { Needles } from "./needles.ts";
import { privateKeyBlocks, unfinishedBeginLine } from "./private-key-blocks.ts";
import { maxContextLength, maxSecretLength, type SecretMatch } from "./secret-match.ts";
import { findSecretMatches, maskSpans, mergeMatches } from "./secrets.ts";

/** Filters text that is streamed to the owner. `push` returns the part of the text so far that no later text can change; `end` returns the rest. */
export type StreamFilter = { readonly push: (chunk: string) => string; readonly end: () => string };

/** Makes a filter that masks secrets and makes control characters visible; a line end of two characters is one. Its output is the same for any split into chunks. It holds back only text that could still become a secret: usually the last word. */
export function makeStreamFilter(needles: Needles): StreamFilter {
  return filterBy({
    find: (text, from) => findSecretMatches(text, needles, from),
    settled: (text, from) => settledUpTo(text, from, needles),
    show: showMasked,
  });
}

/** What the filter makes of a text that is whole, at less than half the cost. */
export function filterWhole(text: string, needles: Needles): string {
  const spans = mergeMatches(findSecretMatches(text, needles, 0));
  return showMasked(text, spans, { from: 0, to: text.length });
}

const showMasked: Covering["show"] = (text, spans, range) =>
  makeVisible(maskSpans(text, spans, range).replaceAll("\r\n", "\n"));

/** Makes a filter for bytes, each as the character of its number: configured keys are covered with asterisks, and nothing else changes, so that the length stays. */
export function makeByteMask(needles: Needles): StreamFilter {
  return filterBy({
    find: (text, from) =>
      findKeys(text, needles, from).toSorted((a, b) => a.start - b.start || b.end - a.end),
    settled(text, from) {
      const tail = Math.max(from, text.length - maxSecretLength);
      return tail + unfinishedKey(text.slice(tail), 0, needles);
    },
    show: coverSpans,
  });
}

/** How one kind of filter finds what it covers, how far a text is settled, and how it is shown. */
type Covering = {
  readonly find: (text: string, from: number) => readonly SecretMatch[];
  readonly settled: (text: string, from: number) => number;
  readonly show: (
    text: string,
    spans: readonly SecretMatch[],
    range: { readonly from: number; readonly to: number },
  ) => string;
};

function filterBy({ find, settled, show }: Covering): StreamFilter {
  let held = "";
  let from = 0;
  const release = (text: string, to: number): string => {
    const spans = mergeMatches(find(text, from));
    const cut = clearOf(spans, to);
    const released = show(text, spans, { from, to: cut });
    const context = Math.max(0, cut - maxContextLength);
    held = text.slice(context);
    from = cut - context;
    return released;
  };
  return {
    push(chunk) {
      const text = held + chunk;
      return release(text, settled(text, from));
    },
    end: () => release(held, held.length),
  };
}

function coverSpans(
  text: string,
  spans: readonly SecretMatch[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  let covered = "";
  let position = from;
  for (const { start, end } of spans) {
    if (start < position || end > to) continue;
    covered += text.slice(position, start) + "*".repeat(end - start);
    position = end;
  }
  return covered + text.slice(position, to);
}

/** The furthest place up to `to` that is inside no match. */
function clearOf(spans: ReturnType<typeof mergeMatches>, to: number): number {
  let cut = to;
  for (const { start, end } of spans.toReversed()) if (start < cut && cut < end) cut = start;
  return cut;
}

/** The place before which no later text can change the matches. */
function settledUpTo(text: string, from: number, needles: Needles): number {
  const block = privateKeyBlocks(text, from).find(({ settled }) => !settled);
  const settled = Math.min(
    tokenStart(text, from),
    unfinishedBeginLine(text, from),
    block?.start ?? text.length,
    unfinishedKey(text, from, needles),
  );
  return settled > from && needsNext(text.charCodeAt(settled - 1)) ? settled - 1 : settled;
}

/** The start of the last run of characters without a blank: a secret that is no block lies in one run. */
function tokenStart(text: string, from: number): number {
  const least = Math.max(from, text.length - maxSecretLength);
  let start = text.length;
  while (start > least && tokenCharacter.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** Whether what follows decides how a unit is shown: the first half of a pair, and a carriage return, which may begin a line end. */
function needsNext(unit: number): boolean {
  return (unit >= 0xd800 && unit <= 0xdbff) || unit === 0x0d;
}

const tokenCharacter = /[!-~]/;
