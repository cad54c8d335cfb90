import { configuredKeyRule } from "../../signal/facts.ts";
import { least } from "../../text/lists.ts";
import {
  type FoldedText,
  firstDigit,
  foldText,
  gramAt,
  gramHash,
  gramLength,
  hasEscape,
  isInterleaved,
  placesOfEscapes,
  type Reading,
  visitGrams,
  withoutUnfinishedEscape,
} from "./fold-text.ts";
import { type FormPlace, leastWindow, type Needles } from "./needles.ts";
import type { SecretMatch } from "./secret-match.ts";

/** The configured keys in a text, from a position on: whole and as they are, or encoded, in parts, and with other characters between theirs. Not by place. */
export function findKeys(text: string, needles: Needles, from: number): readonly SecretMatch[] {
  const whole = needles.texts.flatMap((needle) => occurrences(text, needle, from));
  if (needles.forms.length === 0) return whole;
  const readings: Reading[] = ["plain"];
  if (hasEscape(text)) readings.push("decoded");
  if (isInterleaved(text)) readings.push("even", "odd");
  const parts = readings.flatMap((reading) => partsOfKeys(text, reading, needles));
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
  return Math.max(from, least([text.length, ...starts]));
}

function partsOfKeys(text: string, reading: Reading, needles: Needles): readonly SecretMatch[] {
  const found: SecretMatch[] = [];
  const foldAround = makeWindows(text, reading);
  let past = 0;
  const visit = (gram: number, place: number): void => {
    if (place < past) return;
    for (const form of needles.grams.get(gram) ?? []) {
      const part = partAround(place, form, foldAround);
      if (part === null) continue;
      found.push(part);
      past = Math.max(past, part.end - recheckedEnd);
    }
  };
  if (reading === "decoded") visitDecoded(text, needles, visit);
  else visitGrams(text, { reading, grams: needles.grams, mayBe: needles.mayBeGram }, visit);
  return found;
}

/** Decodes only around the escapes: a part without one is found as it is. */
function visitDecoded(
  text: string,
  { mayBeGram }: Needles,
  visit: (gram: number, place: number) => void,
): void {
  for (const { from, to } of placesOfEscapes(text)) {
    const { codes, length, starts } = foldText(text.slice(from, to), "decoded");
    for (let at = 0; at + gramLength <= length; at += 1) {
      const gram = gramAt(codes, at);
      if (mayBeGram[gramHash(gram)] === 1) visit(gram, from + (starts[at] ?? 0));
    }
  }
}

/** The part of a form around five of its codes, the first of them at a place; null where it is chance. Only as much text is folded as the part needs. */
function partAround(place: number, form: FormPlace, foldAround: FoldAround): SecretMatch | null {
  for (let width = firstWidth; ; width *= 4) {
    const { folded, from, isStart, isEnd } = foldAround(place, width);
    const at = indexOfStart(folded, place - from);
    const part = extend(folded, Math.max(0, at), form);
    if ((!isStart && part.start < margin) || (!isEnd && part.end > folded.length - margin)) continue;
    if (at < 0 || !isPart(folded, part, form.form)) return null;
    const start = from + (folded.starts[part.start + unmarked] ?? 0);
    const end = folded.ends?.[part.end - 1] ?? (folded.starts[part.end - 1] ?? 0) + 1;
    return { rule: configuredKeyRule, start, end: from + end, matchStart: start };
  }
}

/** Folds a text around a place, so many characters to each side. What was folded last is used again where it is enough. */
type FoldAround = (place: number, width: number) => Window;

type Window = {
  readonly folded: FoldedText;
  readonly from: number;
  readonly to: number;
  /** Whether it begins, or ends, with the text. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
};

function makeWindows(text: string, reading: Reading): FoldAround {
  let last: Window | null = null;
  return (place, width) => {
    if (
      last !== null &&
      (last.isStart || place - last.from >= width) &&
      (last.isEnd || last.to - place >= width)
    )
      return last;
    // The places that every second character is read from stay the same.
    const from = Math.max(0, place - width) & ~1;
    const to = Math.min(text.length, place + 4 * width);
    const folded = foldText(text.slice(from, to), reading);
    last = { folded, from, to, isStart: from === 0, isEnd: to === text.length };
    return last;
  };
}

/** The index of the code that begins at a place; -1 where none does. */
function indexOfStart({ starts, length }: FoldedText, place: number): number {
  let [low, high] = [0, length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const start = starts[middle] ?? 0;
    if (start === place) return middle;
    if (start < place) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Characters at the end of a part that are looked at again: another form may reach further. */
const recheckedEnd = 16;
/** Characters to each side that are folded first; and codes at the edges that may be those of an escape that is cut in two. */
const firstWidth = 128;
const margin = 12;

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

/** Codes at the start of a part that stay unmasked. A stream may release as many before a part can be told from other text. */
const unmarked = 2;
