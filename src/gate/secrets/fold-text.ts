/** The letters, without their case, and digits of a text as codes from 0 to 35, with the place of each. Where more than 64 other characters stand between two of them, a code stands that no key has. */
export type FoldedText = {
  readonly codes: Uint8Array;
  readonly length: number;
  /** Where the character of a code begins, and where it ends: offsets in UTF-16 units. Without `ends` each is one unit long. */
  readonly starts: Int32Array;
  readonly ends: Int32Array | null;
};

/** How to read a text: each character; each, with an escape for its character (`%41`, `\x41`, `\u0041`, `\101`, `0x41`, `&#65;`, and `\n` for none); or every second one, from the first or the second. */
export type Reading = "plain" | "decoded" | "even" | "odd";

/** Folds a text: blanks, line ends, quotes, backslashes and separators are left out. */
export function foldText(text: string, reading: Reading): FoldedText {
  if (reading === "decoded") return foldDecoded(text);
  const step = reading === "plain" ? 1 : 2;
  const most = Math.ceil(text.length / step);
  const codes = new Uint8Array(most);
  const starts = new Int32Array(most);
  let length = 0;
  let last = 0;
  for (let at = reading === "odd" ? 1 : 0; at < text.length; at += step) {
    const code = codeOf(text.charCodeAt(at));
    if (code === noCode) continue;
    if (at - last > widestGap) {
      codes[length] = gap;
      starts[length++] = last;
    }
    codes[length] = code;
    starts[length++] = at;
    last = at + 1;
  }
  return { codes, length, starts, ends: null };
}

function foldDecoded(text: string): FoldedText {
  const codes = new Uint8Array(text.length);
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let length = 0;
  let last = 0;
  for (let at = 0, end = 0; at < text.length; at = end) {
    const unit = text.charCodeAt(at);
    const escaped =
      escapes[unit] === 1 && mayBeEscape(unit, text.charCodeAt(at + 1)) ? escapeAt(text, at) : null;
    end = at + (escaped?.length ?? 1);
    const code = codeOf(escaped?.unit ?? unit);
    if (code === noCode) continue;
    if (at - last > widestGap) {
      codes[length] = gap;
      starts[length++] = last;
    }
    codes[length] = code;
    starts[length] = at;
    ends[length++] = end;
    last = end;
  }
  return { codes, length, starts, ends };
}

/** What five codes in a row are searched for: their numbers, and a table that says 1 for each of them and for few others. */
export type GramSearch = {
  readonly reading: Exclude<Reading, "decoded">;
  readonly grams: ReadonlyMap<number, unknown>;
  readonly mayBe: Uint8Array;
};

/**
 * Calls `visit` with the number of five codes in a row and the place of the first, where each eighth code of a text begins one that is searched for. The codes
 * are packed without a branch for each character, and places are worked out only for what is visited: hardly any place of a text without keys is.
 */
export function visitGrams(
  text: string,
  { reading, grams, mayBe }: GramSearch,
  visit: (gram: number, place: number) => void,
): void {
  const step = reading === "plain" ? 1 : 2;
  const first = reading === "odd" ? 1 : 0;
  const codes = new Uint8Array(Math.ceil(text.length / step) + gramLength);
  const lengths: number[] = [];
  let length = 0;
  for (let from = first; from < text.length; from += blockLength) {
    lengths.push(length);
    const to = Math.min(text.length, from + blockLength);
    for (let at = from; at < to; at += step) {
      const code = codeOfUnit[text.charCodeAt(at)] ?? noCode;
      codes[length] = code;
      // One more, unless it is `noCode`.
      length += ((code + 1) >> 6) ^ 1;
    }
  }
  let block = 0;
  for (let at = 0; at + gramLength <= length; at += gramStep) {
    const gram = gramAt(codes, at);
    if (mayBe[gramHash(gram)] !== 1 || !grams.has(gram)) continue;
    while ((lengths[block + 1] ?? length) <= at) block += 1;
    const from = first + block * blockLength;
    visit(gram, placeOfCode(text, { from, step, codes: at - (lengths[block] ?? 0) }));
  }
}

/** The place of the character with a code before which so many others with one stand. */
function placeOfCode(
  text: string,
  { from, step, codes }: { readonly from: number; readonly step: number; readonly codes: number },
): number {
  let left = codes;
  for (let at = from; ; at += step) {
    if (codeOf(text.charCodeAt(at)) === noCode) continue;
    if (left === 0) return at;
    left -= 1;
  }
}

/** The places around the escapes of a text, so far to both sides that a part of a key that an escape belongs to has five codes in a row there. They do not overlap. */
export function placesOfEscapes(text: string): readonly { readonly from: number; readonly to: number }[] {
  const places: { from: number; to: number }[] = [];
  for (const { 0: written, index } of text.matchAll(everyEscape)) {
    const from = reach(text, index, -1);
    const to = reach(text, index + written.length, 1);
    const last = places.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(to, last.to);
    else places.push({ from, to });
  }
  return places;
}

/** The place that is so many codes away that a part of a key, the escape included, fits in between. */
function reach(text: string, from: number, direction: 1 | -1): number {
  let at = from;
  for (let codes = 0; codes < partLength && at > 0 && at < text.length; at += direction) {
    if (codeOf(text.charCodeAt(direction === 1 ? at : at - 1)) !== noCode) codes += 1;
    if (Math.abs(at - from) > partLength * widestGap) break;
  }
  return at;
}

/** The number of five codes in a row. */
export function gramAt(codes: Uint8Array, at: number): number {
  const [one = 0, two = 0, three = 0] = [codes[at], codes[at + 1], codes[at + 2]];
  const [four = 0, five = 0] = [codes[at + 3], codes[at + 4]];
  return (one << 24) | (two << 18) | (three << 12) | (four << 6) | five;
}

/** Where a number stands in a table of grams. */
export function gramHash(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 16;
}

/** The entries of a table of grams. */
export const gramEntries = 1 << 16;
export const gramLength = 5;
/** Codes of a text from one comparison to the next: each twelve codes, the fewest of a part of a key, hold five that are compared. */
const gramStep = 8;
/** The fewest codes of a part of a key. */
const partLength = 12;
const blockLength = 1024;

/** A look at the next character: most zeros, ampersands and signs of percent begin no escape. */
function mayBeEscape(unit: number, next: number): boolean {
  if (unit === zero) return next === lowerX;
  return unit === ampersand ? next === hash : true;
}

const zero = 48;
const ampersand = 38;
const hash = 35;
const lowerX = 120;

/** Whether a text has an escape that `foldText` decodes. */
export function hasEscape(text: string): boolean {
  return /%[0-9A-Fa-f]{2}|\\[nrtxu0-7]|&#|0x[0-9A-Fa-f]{2}/.test(text);
}

/** Whether the same letter or digit may stand at every second place for 24 characters. */
export function isInterleaved(text: string): boolean {
  for (let at = 0; at + 9 < text.length; at += 12)
    if (repeatsAt(text, at) || repeatsAt(text, at + 1)) return true;
  return false;
}

function repeatsAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  for (let more = 2; more <= 8; more += 2) if (text.charCodeAt(at + more) !== unit) return false;
  return codeOf(unit) !== noCode;
}

/** The text without an escape that begins at its end and is not complete. */
export function withoutUnfinishedEscape(text: string): string {
  return text.slice(0, text.length - (unfinishedEscape.exec(text.slice(-12))?.[0].length ?? 0));
}

/** The codes of a short text, without gaps. */
export function codesOf(text: string): Uint8Array {
  const { codes, length } = foldText(text, "plain");
  return codes.subarray(0, length).filter((code) => code !== gap);
}

const widestGap = 64;
const gap = 62;
const noCode = 63;
/** The code of the digit 0; those of letters are less. */
export const firstDigit = 26;
const escapes = new Uint8Array(128);
for (const character of "%\\&0") escapes[character.charCodeAt(0)] = 1;
const everyEscape =
  /%(?<percent>[0-9A-Fa-f]{2})|\\(?:x(?<byte>[0-9A-Fa-f]{2})|u(?:\{(?<point>[0-9A-Fa-f]{2,6})\}|(?<four>[0-9A-Fa-f]{4}))|(?<octal>[0-3]?[0-7]{2})|(?<blank>[nrt]))|0x(?<number>[0-9A-Fa-f]{2})|&#(?:x(?<entity>[0-9A-Fa-f]{2,6})|(?<decimal>\d{2,7}));/g;
const escapePattern = new RegExp(everyEscape, "y");

const unfinishedEscape =
  /(?:%[0-9A-Fa-f]?|\\(?:x[0-9A-Fa-f]?|u(?:\{[0-9A-Fa-f]{0,6}|[0-9A-Fa-f]{0,3})|[0-7]{0,2})|0x?[0-9A-Fa-f]?|&(?:#(?:x[0-9A-Fa-f]{0,6}|\d{0,7}))?)$/;

/** The character that an escape stands for; a blank for that of a line end. */
function escapeAt(text: string, at: number): { readonly unit: number; readonly length: number } | null {
  escapePattern.lastIndex = at;
  const match = escapePattern.exec(text);
  if (match === null) return null;
  const { percent, byte, point, four, octal, number, entity, decimal } = match.groups ?? {};
  const hex = percent ?? byte ?? point ?? four ?? number ?? entity;
  const unit =
    hex !== undefined
      ? Number.parseInt(hex, 16)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number(decimal ?? 32);
  return { unit, length: match[0].length };
}

function codeOf(unit: number): number {
  return codeOfUnit[unit] ?? noCode;
}

/** The code of each UTF-16 unit. */
const codeOfUnit = new Uint8Array(1 << 16).fill(noCode);
for (const [code, character] of [..."abcdefghijklmnopqrstuvwxyz0123456789"].entries()) {
  codeOfUnit[character.charCodeAt(0)] = code;
  codeOfUnit[character.toUpperCase().charCodeAt(0)] = code;
}
