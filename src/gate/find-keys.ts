import { configuredKeyRule } from "../signal/facts.ts";
import {
  type FoldedText,
  firstDigit,
  foldText,
  hasEscape,
  isInterleaved,
  type Reading,
  withoutUnfinishedEscape,
} from "./fold-text.ts";
import { type FormPlace, gramAt, gramHash, leastWindow, type Needles } from "./needles.ts";
import type { SecretMatch } from "./secret-match.ts";

/** The configured keys in a text, from a position on: whole and as they are, or encoded, in parts, and with other characters between theirs. Not by place. */
export function findKeys(text: string, needles: Needles, from: number): readonly SecretMatch[] {
  const whole = needles.texts.flatMap((needle) => occurrences(text, needle, from));
  if (needles.forms.length === 0) return whole;
  const readings: Reading[] = ["plain"];
  if (hasEscape(text)) readings.push("decoded");
  if (isInterleaved(text)) readings.push("even", "odd");
  const parts = readings.flatMap((reading) => partsOfKeys(foldText(text, reading), needles));
  return [...whole, ...parts.filter(({ start }) => start >= from)];
}

/** The place from which the end of a text may be the beginning of a key, encoded or not; the text's length if it is none. */
export function unfinishedKey(text: string, from: number, needles: Needles): number {
  const starts = needles.texts.map((needle) => needleStart(text, from, needle));
  for (const ending of new Set([text, withoutUnfinishedEscape(text)])) {
    for (const reading of ["plain", "decoded", "even", "odd"] as const) {
      starts.push(unfinishedPart(foldText(ending, reading), needles.forms) ?? text.length);
    }
  }
  return Math.max(from, Math.min(text.length, ...starts));
}

function partsOfKeys(folded: FoldedText, { grams, mayBeGram }: Needles): readonly SecretMatch[] {
  const { codes, length } = folded;
  const found: SecretMatch[] = [];
  let past = 0;
  for (let at = 0; at + gramStep <= length; at += gramStep) {
    const gram = gramAt(codes, at);
    if (mayBeGram[gramHash(gram)] !== 1 || at < past) continue;
    for (const place of grams.get(gram) ?? []) {
      const part = extend(folded, at, place);
      if (!isPart(folded, part, place.form)) continue;
      const start = folded.starts[part.start + unmarked] ?? 0;
      const end = folded.ends?.[part.end - 1] ?? (folded.starts[part.end - 1] ?? 0) + 1;
      past = part.end;
      found.push({ rule: configuredKeyRule, start, end, matchStart: start });
    }
  }
  return found;
}

/** Places in the codes of a text, end excluded. */
type Part = { readonly start: number; readonly end: number };

/** As much of a form as stands around five of its codes. */
function extend({ codes, length }: FoldedText, at: number, { form, offset }: FormPlace): Part {
  let before = 0;
  while (before < offset && before < at && codes[at - before - 1] === form[offset - before - 1]) before += 1;
  let after = 0;
  const most = Math.min(length - at, form.length - offset);
  while (after < most && codes[at + after] === form[offset + after]) after += 1;
  return { start: at - before, end: at + after };
}

/** Whether a part is no chance: the whole form, or enough of it. A part without digits may be words, and must be longer. */
function isPart({ codes }: FoldedText, { start, end }: Part, form: Uint8Array): boolean {
  const length = end - start;
  if (length === form.length) return true;
  if (length < leastWindow) return false;
  const digits = codes.subarray(start, end).filter((code) => code >= firstDigit).length;
  return (digits > 0 && digits < length) || length >= 20;
}

/** The place of the end of a text that may be a part of a form; null if it is none. */
function unfinishedPart({ codes, length, starts }: FoldedText, forms: readonly Uint8Array[]): number | null {
  let longest = 0;
  for (const form of forms) {
    for (let end = 1; end < form.length; end += 1) {
      let same = 0;
      while (same < end && same < length && form[end - same - 1] === codes[length - same - 1]) same += 1;
      longest = Math.max(longest, same);
    }
  }
  return longest > unmarked ? (starts[length - longest + unmarked] ?? null) : null;
}

/** The start of the longest beginning of a needle at the end of the text. */
function needleStart(text: string, from: number, needle: string): number {
  for (let length = Math.min(needle.length - 1, text.length - from); length > 0; length--) {
    if (text.endsWith(needle.slice(0, length))) return text.length - length;
  }
  return text.length;
}

function occurrences(text: string, needle: string, from: number): SecretMatch[] {
  const found: SecretMatch[] = [];
  for (let start = text.indexOf(needle, from); start >= 0; start = text.indexOf(needle, start + 1)) {
    found.push({ rule: configuredKeyRule, start, end: start + needle.length, matchStart: start });
  }
  return found;
}

/** Codes of a text from one comparison to the next: fewer than the shortest part of a key has more than five. */
const gramStep = 6;
/** Codes at the start of a part that stay unmasked. A stream may release as many before a part can be told from other text. */
const unmarked = 2;
