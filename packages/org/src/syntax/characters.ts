import { alphanumeric, whitespace, wordConstituent } from "../text/emacs-characters.ts";

const space = new RegExp(`[${whitespace}]`, "u");
const word = new RegExp(`[${wordConstituent}]`, "u");
const latin = /[\p{Script=Latin}\p{M}]/u;
const alnum = new RegExp(`[${alphanumeric}]`, "u");

/** True where white space is at an offset; false outside of the text. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
  return code >= 0xa0 && space.test(text[at] ?? "");
}

/** True where a character of a word is at an offset. */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return isAsciiAlnum(code) || code === 0x24 || code === 0x25 || code === 0x27;
  return code >= 0x80 && word.test(characterAt(text, at));
}

/** True where a letter or digit is at an offset. */
export function isAlnumAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return isAsciiAlnum(code);
  return code >= 0x80 && alnum.test(characterAt(text, at));
}

/** True where a word begins with a letter of ASCII. Emacs begins one also between two scripts. */
export function startsWord(text: string, at: number, begin: number): boolean {
  if (at <= begin || !isWordAt(text, at - 1)) return true;
  return text.charCodeAt(at - 1) >= 0x250 && !latin.test(characterAt(text, at - 1));
}

/** The whole character that the code unit at an offset is of. */
function characterAt(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) {
    const before = text.charCodeAt(at - 1);
    if (before >= 0xd800 && before <= 0xdbff) return text.slice(at - 1, at + 1);
  }
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function isAsciiAlnum(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}
