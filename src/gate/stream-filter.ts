import type { Needles } from "./needles.ts";
import { privateKeyBlocks, unfinishedBeginLine } from "./private-key-blocks.ts";
import { maxMatchLength } from "./secret-patterns.ts";
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
    const context = Math.max(0, cut - 1);
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
  for (const { matchStart, end } of spans.toReversed()) if (matchStart < cut && cut < end) cut = matchStart;
  return cut;
}

/** The place before which no later text can change the matches. */
function settledUpTo(text: string, from: number, { texts }: Needles): number {
  const block = privateKeyBlocks(text, from).find(({ settled }) => !settled);
  const settled = Math.min(
    tokenStart(text, from),
    assignmentStart(text, from),
    unfinishedBeginLine(text, from),
    block?.start ?? text.length,
    ...texts.map((needle) => needleStart(text, from, needle)),
  );
  return settled > from && isHighSurrogate(text.charCodeAt(settled - 1)) ? settled - 1 : settled;
}

/** The start of the last run of token characters. */
function tokenStart(text: string, from: number): number {
  const least = Math.max(from, text.length - maxMatchLength);
  let start = text.length;
  while (start > least && tokenCharacter.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** The start of an assignment of a secret that may continue after the end of the text. */
function assignmentStart(text: string, from: number): number {
  const start = Math.max(from, text.length - 320);
  const match = unfinishedAssignment.exec(text.slice(start));
  return match === null ? text.length : start + match.index;
}

/** The start of the longest beginning of a needle at the end of the text. */
function needleStart(text: string, from: number, needle: string): number {
  for (let length = Math.min(needle.length - 1, text.length - from); length > 0; length--) {
    if (text.endsWith(needle.slice(0, length))) return text.length - length;
  }
  return text.length;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const tokenCharacter = /[A-Za-z0-9_.+/=-]/;
const unfinishedAssignment =
  /(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|credentials?)[A-Za-z0-9_-]{0,24}["'`]{0,2}[ \t]{0,4}(?:(?::=|=>|[:=])[ \t]{0,4}["'`]{0,2}[A-Za-z0-9+/=_.~!@#$%^&*-]{0,200})?$/i;
