/** What `foldUnit` gives for a code unit that stands in no word: a separator ends a word; an ignored one does not. */
export const separator = 0;
const ignored = 1;
/** May begin an escape or a tag. */
export const mark = 2;

/** A code unit as it counts in a word: in lower case, without accents and width; or `separator`, `ignored` or `mark`. */
export function foldUnit(unit: number): number {
  if ("\\&%<\u001b".includes(String.fromCharCode(unit))) return mark;
  // Every other byte of a text of ASCII in UTF-16.
  if (unit === 0) return ignored;
  if (unit >= 0xd800 && unit <= 0xdfff) return unit;
  const plain = String.fromCharCode(unit).normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "");
  if (plain === "" || /^[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/.test(plain))
    return ignored;
  return /^[\p{L}\p{N}]/u.test(plain) ? plain.charCodeAt(0) : separator;
}

/** True for a letter of a script that puts no space between words: each counts as a word. */
export function isUnspaced(code: number): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(String.fromCharCode(code));
}

const escapeForm =
  /\\{1,8}(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[abfnrtv"'/])|&(?:#x([0-9a-fA-F]{1,4})|#([0-9]{1,5})|[a-zA-Z]{2,6});|(%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3})|<[/!]?[a-zA-Z][^<>]{0,100}>|\p{Cc}\[[\d;?]{0,20}[a-z]/iuy;

/** Where the escape that begins here ends; the next code unit where none begins. */
export function escapeEnd(text: string, at: number): number {
  escapeForm.lastIndex = at;
  return escapeForm.test(text) ? escapeForm.lastIndex : at + 1;
}

/** The code unit that an escape stands for; a newline for `\n`, a separator for one that stands for a mark or a blank, and for a lone mark. */
export function escapedUnit(text: string, at: number, end: number): number {
  if (end === at + 1) return separator;
  escapeForm.lastIndex = at;
  const [whole = "", unicode, byte, hex, decimal, percent] = escapeForm.exec(text) ?? [];
  const digits = unicode ?? byte ?? hex;
  if (digits !== undefined) return Number.parseInt(digits, 16);
  if (decimal !== undefined) return Number(decimal);
  if (percent !== undefined) return decodePercent(percent);
  return whole.endsWith("n") ? 10 : separator;
}

/** The code unit that percent-encoded UTF-8 stands for; of a character that takes two, the first. */
function decodePercent(encoded: string): number {
  const [first = 0, ...others] = encoded
    .slice(1)
    .split("%")
    .map((byte) => Number.parseInt(byte, 16));
  const lead = [first, first & 31, first & 15, first & 7][others.length] ?? 0;
  const point = others.reduce((sum, byte) => (sum << 6) | (byte & 63), lead);
  return String.fromCodePoint(Math.min(point, 0x10ffff)).charCodeAt(0);
}
