import { pushAll } from "../../text/lists.ts";
import { readPrinted } from "../../text/unprinted.ts";
import { anchoredAt, beginningsOfNeedles } from "./find-anchored.ts";
import { assignedAt, valueCharacters } from "./find-assigned.ts";
import { findKeys } from "./find-keys.ts";
import { beginningsOfTokens, tokenAt } from "./find-tokens.ts";
import { beginningsOfWebTokens, discordTokenAt, webTokenAt, wordCharacters } from "./find-web-tokens.ts";
import type { Needles } from "./needles.ts";
import { privateKeyBlocks } from "./private-key-blocks.ts";
import type { SecretMatch, SecretSpan } from "./secret-match.ts";

/** Finds text that looks like a secret by the formats of its maker or by the name that it is assigned to, and every configured key, also encoded and in parts. Sorted by place; spans of different rules may overlap. Takes linear time on any text. */
export function scanSecrets(text: string, needles: Needles): readonly SecretSpan[] {
  return findSeenMatches(text, needles).map(({ rule, start, end }) => ({ rule, start, end }));
}

/** The text with each secret replaced by `[masked: rule]`. */
export function maskSecrets(text: string, needles: Needles): string {
  return maskSpans(text, mergeMatches(findSeenMatches(text, needles)), { from: 0, to: text.length });
}

/**
 * The secrets of a text as it stands, and of what is seen of it, without colours between the letters. A
 * stream to the owner is masked as it stands.
 */
function findSeenMatches(text: string, needles: Needles): readonly SecretMatch[] {
  const found = findSecretMatches(text, needles, 0);
  const printed = readPrinted(text);
  if (printed === null) return found;
  const placeOf = (at: number): number => printed.places[at] ?? text.length;
  const seen = findSecretMatches(printed.text, needles, 0).map(({ rule, start, end, matchStart }) => ({
    rule,
    start: placeOf(start),
    end: placeOf(end - 1) + 1,
    matchStart: placeOf(matchStart),
  }));
  return [...found, ...seen].toSorted(byPlace);
}

function byPlace(a: SecretMatch, b: SecretMatch): number {
  return a.start - b.start || b.end - a.end || a.matchStart - b.matchStart;
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
    ...findShown(text).filter(({ start }) => start >= from),
  ];
  return found.sort(byPlace);
}

/** The secrets of a text that their own form or what stands before them shows, in one pass. The places where one may be are written down without a branch for each character: a branch that goes now this way, now that is what costs time. */
function findShown(text: string): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  const places = new Int32Array(Math.min(blockLength, text.length) + 1);
  for (let from = 0; from < text.length; from += blockLength) {
    const to = Math.min(text.length, from + blockLength);
    let count = 0;
    let next = text.charCodeAt(from);
    for (let at = from; at < to; at += 1) {
      const code = next;
      next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
      places[count] = at;
      count += pairs[((code & 127) << 7) | (next & 127)] ?? 0;
    }
    for (let one = 0; one < count; one += 1) addSecretsAt(text, places[one] ?? 0, found);
  }
  return found;
}

/** Adds what begins at a place. */
function addSecretsAt(text: string, at: number, found: SecretMatch[]): void {
  const leads = leadsOfPairs[pairAt(text.charCodeAt(at), text.charCodeAt(at + 1))] ?? 0;
  const match =
    leads & asToken && !isInWord(text, at)
      ? (tokenAt(text, at) ?? webTokenAt(text, at))
      : leads & asOperator
        ? assignedAt(text, at)
        : leads & asFullStop
          ? discordTokenAt(text, at)
          : null;
  if (match !== null) found.push(match);
  if (leads & asNeedle) pushAll(found, anchoredAt(text, at));
}

/** Whether a letter stands before a place, but not that of an escape such as `\n`. */
function isInWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isLetter = (before >= 97 && before <= 122) || (before >= 65 && before <= 90);
  return isLetter && !(text.charCodeAt(at - 2) === backslash && "nrt".includes(text.charAt(at - 1)));
}

/** The number of two characters; no further one has that of ASCII characters alone. */
function pairAt(first: number, second: number): number {
  return first < 128 && second < 128 ? (first << 7) | second : 0;
}

const backslash = 92;
const blockLength = 4096;
const [asToken, asOperator, asFullStop, asNeedle] = [1, 2, 4, 8];
/** What two ASCII characters may lead to, by their numbers. */
const leadsOfPairs = new Uint8Array(1 << 14);
for (const beginning of [...beginningsOfTokens, ...beginningsOfWebTokens]) addLead(beginning, asToken);
for (const beginning of beginningsOfNeedles) addLead(beginning, asNeedle);
for (const operator of "=:>,") for (const next of valueCharacters) addLead(operator + next, asOperator);
for (const next of wordCharacters) addLead(`.${next}`, asFullStop);
/** 1 where they may lead to anything. */
const pairs = leadsOfPairs.map((leads) => Math.min(leads, 1));

/** Of a single character, whatever follows it leads there. */
function addLead(beginning: string, lead: number): void {
  const [first, second] = [beginning.charCodeAt(0), beginning.charCodeAt(1)];
  for (let next = 0; next < 128; next += 1) {
    if (beginning.length > 1 && next !== second) continue;
    const pair = pairAt(first, next);
    leadsOfPairs[pair] = (leadsOfPairs[pair] ?? 0) | lead;
  }
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
