import { columnAfter } from "./lines.ts";

/** The column that Emacs reaches after a text, from column 0: a tab goes to the next multiple of 8, a wide character takes two. */
export function columnOf(text: string): number {
  let column = 0;
  for (const character of text) {
    column = character === "\t" ? columnAfter(column, true) : column + widthOf(character);
  }
  return column;
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
