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
    const code = codeOfUnit[text.charCodeAt(at) & 127] ?? noCode;
    if (code === noCode || text.charCodeAt(at) > 127) continue;
    if (at - last > widestGap) codes[length++] = gap;
    codes[length] = code;
    starts[length++] = at;
    last = at;
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
    const escaped = escapes[unit] === 1 ? escapeAt(text, at) : null;
    end = at + (escaped?.length ?? 1);
    const code = codeOf(escaped?.unit ?? unit);
    if (code === noCode) continue;
    if (at - last > widestGap) codes[length++] = gap;
    codes[length] = code;
    starts[length] = at;
    ends[length++] = end;
    last = end;
  }
  return { codes, length, starts, ends };
}

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
const escapePattern =
  /%(?<percent>[0-9A-Fa-f]{2})|\\(?:x(?<byte>[0-9A-Fa-f]{2})|u(?:\{(?<point>[0-9A-Fa-f]{2,6})\}|(?<four>[0-9A-Fa-f]{4}))|(?<octal>[0-3]?[0-7]{2})|(?<blank>[nrt]))|0x(?<number>[0-9A-Fa-f]{2})|&#(?:x(?<entity>[0-9A-Fa-f]{2,6})|(?<decimal>\d{2,7}));/y;

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

/** The code of each ASCII character. */
const codeOfUnit = new Uint8Array(128).fill(noCode);
for (const [code, character] of [..."abcdefghijklmnopqrstuvwxyz0123456789"].entries()) {
  codeOfUnit[character.charCodeAt(0)] = code;
  codeOfUnit[character.toUpperCase().charCodeAt(0)] = code;
}
