import { endOfLine, skipBlanks } from "../text/emacs-characters.ts";

const tabWidth = 8;

/** The start of the line that an offset is in. */
export function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** True at the start of a line. */
export function beginsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n";
}

/** True where nothing but spaces and tabs follows on the line of an offset. */
export function isBlankFrom(text: string, at: number): boolean {
  return skipBlanks(text, at, text.length) === endOfLine(text, at);
}

/** The column of the first character on a line that is no space or tab. */
export function indentationAt(text: string, at: number): number {
  const line = startOfLine(text, at);
  return columnOf(text.slice(line, skipBlanks(text, line, text.length)));
}

/** The column that Emacs reaches after a text, from column 0: a tab goes to the next multiple of 8, a wide character takes two. */
export function columnOf(text: string): number {
  let column = 0;
  for (const character of text) {
    column = character === "\t" ? column + tabWidth - (column % tabWidth) : column + widthOf(character);
  }
  return column;
}

/** The blanks with which Emacs indents a line. */
export function indentation(column: number): string {
  return "\t".repeat(Math.floor(column / tabWidth)) + " ".repeat(column % tabWidth);
}

/** The first offset after a range's beginning that is no blank, line feeds included. */
export function skipSpaceBack(text: string, end: number, start = 0): number {
  let to = end;
  while (to > start && " \t\n\r".includes(text[to - 1] ?? "x")) to -= 1;
  return to;
}

const zero = /^[\p{Mn}\p{Me}\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]$/u;
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18CFF}\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|^\p{Emoji_Presentation}$/u;

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return 2;
  if (code < 0x300) return 1;
  if (code >= 0xdc80 && code <= 0xdcff) return 4;
  return zero.test(character) ? 0 : wide.test(character) ? 2 : 1;
}
