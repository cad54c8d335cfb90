import { unfinishedKey } from "./find-keys.ts";
import type { Needles } from "./needles.ts";
import { privateKeyBlocks, unfinishedBeginLine } from "./private-key-blocks.ts";
import { maxContextLength, maxSecretLength } from "./secret-match.ts";
import { findSecretMatches, maskSpans, mergeMatches } from "./secrets.ts";
import { makeVisible } from "./visible.ts";

/** Filters text that is streamed to the owner. `push` returns the part of the text so far that no later text can change; `end` returns the rest. */
export type StreamFilter = { readonly push: (chunk: string) => string; readonly end: () => string };

/** Makes a filter that masks secrets and makes control characters visible. Its output is the same for any split into chunks. It holds back only text that could still become a secret: usually the last word. */
export function makeStreamFilter(needles: Needles): StreamFilter {
  let held = "";
  let from = 0;
  const release = (text: string, to: number): string => {
    const spans = mergeMatches(findSecretMatches(text, needles, from));
    const cut = clearOf(spans, to);
    const released = makeVisible(maskSpans(text, spans, { from, to: cut }));
    const context = Math.max(0, cut - maxContextLength);
    held = text.slice(context);
    from = cut - context;
    return released;
  };
  return {
    push(chunk) {
      const text = held + chunk;
      return release(text, settledUpTo(text, from, needles));
    },
    end: () => release(held, held.length),
  };
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
  return settled > from && isHighSurrogate(text.charCodeAt(settled - 1)) ? settled - 1 : settled;
}

/** The start of the last run of characters without a blank: a secret that is no block lies in one run. */
function tokenStart(text: string, from: number): number {
  const least = Math.max(from, text.length - maxSecretLength);
  let start = text.length;
  while (start > least && tokenCharacter.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const tokenCharacter = /[!-~]/;
