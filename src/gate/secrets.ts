import { findAnchored } from "./find-anchored.ts";
import { assignedAt } from "./find-assigned.ts";
import { findKeys } from "./find-keys.ts";
import { tokenAt } from "./find-tokens.ts";
import { discordTokenAt, webTokenAt } from "./find-web-tokens.ts";
import type { Needles } from "./needles.ts";
import { privateKeyBlocks } from "./private-key-blocks.ts";
import type { SecretMatch, SecretSpan } from "./secret-match.ts";

/** Finds text that looks like a secret by the formats of its maker or by the name that it is assigned to, and every configured key, also encoded and in parts. Sorted by place; spans of different rules may overlap. Takes linear time on any text. */
export function scanSecrets(text: string, needles: Needles): readonly SecretSpan[] {
  return findSecretMatches(text, needles, 0).map(({ rule, start, end }) => ({ rule, start, end }));
}

/** The text with each secret replaced by `[masked: rule]`. */
export function maskSecrets(text: string, needles: Needles): string {
  return maskSpans(text, mergeMatches(findSecretMatches(text, needles, 0)), { from: 0, to: text.length });
}

/** The text with each configured key masked and nothing else; for text that is stored. */
export function maskKeys(text: string, needles: Needles): string {
  const found = findKeys(text, needles, 0);
  const spans = mergeMatches(found.toSorted((a, b) => a.start - b.start || b.end - a.end));
  return maskSpans(text, spans, { from: 0, to: text.length });
}

/** Like `scanSecrets`, but only the secrets that begin at a position or behind it; what stands before counts as context. Whether a place holds a secret depends on no other match. */
export function findSecretMatches(text: string, needles: Needles, from: number): readonly SecretMatch[] {
  const found = [
    ...findKeys(text, needles, from),
    ...privateKeyBlocks(text, from)
      .filter(({ isKey }) => isKey)
      .map(({ start, end }) => ({ rule: "private-key", start, end, matchStart: start })),
    ...[...findAnchored(text), ...findTokens(text)].filter(({ start }) => start >= from),
  ];
  return found.sort((a, b) => a.start - b.start || b.end - a.end || a.matchStart - b.matchStart);
}

/** The tokens and the assigned secrets of a text, in one pass. The places are found by a regular expression: a loop over all characters of a prompt would be compiled at each start. */
function findTokens(text: string): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  for (const { 0: begun, index: at } of text.matchAll(beginning)) {
    const match = ".=:>,".includes(begun) ? operatorAt(text, at, text.charCodeAt(at)) : wordAt(text, at);
    if (match !== null) found.push(match);
  }
  return found;
}

/** An operator; a digit or letter before which no letter stands, but that of an escape such as `\n`. */
const beginning = /[.=:>,]|(?:(?<![A-Za-z])|(?<=\\[nrt]))[A-Za-z0-9]/g;

function wordAt(text: string, at: number): SecretMatch | null {
  return tokenAt(text, at) ?? webTokenAt(text, at);
}

function operatorAt(text: string, at: number, code: number): SecretMatch | null {
  return code === fullStop ? discordTokenAt(text, at) : assignedAt(text, at);
}

const fullStop = 46;

/** Merges overlapping spans into one span with the rule of the first. */
export function mergeMatches(found: readonly SecretMatch[]): readonly SecretMatch[] {
  const spans: SecretMatch[] = [];
  for (const span of found) {
    const last = spans.at(-1);
    if (last === undefined || span.start >= last.end) spans.push(span);
    else {
      const matchStart = Math.min(last.matchStart, span.matchStart);
      spans[spans.length - 1] = { ...last, matchStart, end: Math.max(last.end, span.end) };
    }
  }
  return spans;
}

/** The text between two offsets, with the spans inside it masked. */
export function maskSpans(
  text: string,
  spans: readonly SecretSpan[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  let masked = "";
  let position = from;
  for (const { rule, start, end } of spans) {
    if (start < position || end > to) continue;
    masked += `${text.slice(position, start)}[masked: ${rule}]`;
    position = end;
  }
  return masked + text.slice(position, to);
}
