import type { Needles } from "./needles.ts";
import { privateKeyBlocks } from "./private-key-blocks.ts";
import { looksRandom, secretPatterns } from "./secret-patterns.ts";

/** The place of a secret in a text, and the rule that found it. Offsets in UTF-16 units, end excluded. */
export type SecretSpan = { readonly rule: string; readonly start: number; readonly end: number };

/** Finds text that looks like a secret by ten named patterns, and every configured key: as it is, percent-encoded and in base64. Sorted by place; spans of different rules may overlap. Takes linear time on any text. */
export function scanSecrets(text: string, needles: Needles): readonly SecretSpan[] {
  return findSecretMatches(text, needles, 0).map(({ rule, start, end }) => ({ rule, start, end }));
}

/** The text with each secret replaced by `[masked: rule]`. */
export function maskSecrets(text: string, needles: Needles): string {
  return maskSpans(text, mergeMatches(findSecretMatches(text, needles, 0)), { from: 0, to: text.length });
}

/** The text with each configured key masked and nothing else; for text that is stored. */
export function maskKeys(text: string, { texts }: Needles): string {
  const found = texts.flatMap((needle) => occurrences(text, needle, 0));
  const spans = mergeMatches(found.sort((a, b) => a.start - b.start || b.end - a.end));
  return maskSpans(text, spans, { from: 0, to: text.length });
}

/** A span with the start of its match. The match may begin before the secret, at the name that it is assigned to. */
export type SecretMatch = SecretSpan & { readonly matchStart: number };

/** Like `scanSecrets`, but from a position on; the character before it counts as context. Matches after a position do not depend on matches before it. */
export function findSecretMatches(text: string, { texts }: Needles, from: number): readonly SecretMatch[] {
  const found = [
    ...texts.flatMap((needle) => occurrences(text, needle, from)),
    ...privateKeyBlocks(text, from)
      .filter(({ isKey }) => isKey)
      .map(({ start, end }) => ({ rule: "private-key", start, end, matchStart: start })),
    ...secretPatterns.flatMap(({ rule, pattern }) => matches(text, { rule, pattern, from })),
  ];
  return found.sort((a, b) => a.start - b.start || b.end - a.end || a.matchStart - b.matchStart);
}

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

function occurrences(text: string, needle: string, from: number): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  for (let start = text.indexOf(needle, from); start >= 0; start = text.indexOf(needle, start + 1)) {
    found.push({ rule: "configured-key", start, end: start + needle.length, matchStart: start });
  }
  return found;
}

type Search = { readonly rule: string; readonly pattern: RegExp; readonly from: number };

function matches(text: string, { rule, pattern, from }: Search): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  const search = new RegExp(pattern);
  search.lastIndex = from;
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const { token = match[0] } = match.groups ?? {};
    const end = match.index + match[0].length;
    if (looksRandom(token)) found.push({ rule, start: end - token.length, end, matchStart: match.index });
    else search.lastIndex = match.index + 1;
  }
  return found;
}
