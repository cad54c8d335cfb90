import { beginOf } from "./cut-text.ts";

/** Characters among which a better place for a cut is looked for: a line's end, else the end of a word. */
const reach = 2_000;

/**
 * A text of at most about `most` characters: whole, or its head and its tail with a line between them that
 * says how much is left out.
 */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return joinAroundCut(text.slice(0, half), text.slice(text.length - half), text.length - 2 * half);
}

/**
 * The begin of a text of more than `most` characters, with how many are left out; a shorter text as it is.
 */
export function cutEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const begin = beginOf(text, most);
  const lines = text.slice(begin.length).split("\n").length - 1;
  const more = `${text.length - begin.length} characters${lines === 0 ? "" : `, ${lines} lines`}`;
  return `${begin} … (${more} more)`;
}

/** A cut, as `cutMiddle` marks it. */
const cutMark = /^\[… [\d,]+ characters left out …\]$/m;
/** One as `cutEnd` does. */
const endMark = / … \(\d+ characters(?:, (\d+) lines)? more\)\s*$/gm;

/**
 * How many lines a text has, or had before its end was cut off. Of one that was cut in its middle they are
 * those that are kept: `isLeast`.
 */
export function countLines(text: string): { readonly lines: number; readonly isLeast: boolean } {
  const lines = text === "" ? 0 : text.split("\n").length;
  const cut = [...text.matchAll(endMark)].reduce((sum, [, more]) => sum + Number(more ?? 0), 0);
  return { lines: lines + cut, isLeast: cutMark.test(text) };
}

/**
 * Joins the head and the tail of a text, between which `left` characters are missing, by a line that says
 * so. The head ends and the tail begins with a whole line where one is near, else with a whole word, so that
 * no half of a key escapes a filter; and never within a character of several code points.
 */
export function joinAroundCut(head: string, tail: string, left: number): string {
  const before = head.slice(0, endOfHead(head));
  const after = tail.slice(startOfTail(tail));
  const count = left + head.length + tail.length - before.length - after.length;
  const line = `[… ${count.toLocaleString("en-US")} characters left out …]`;
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  return `${start}${line}${after === "" ? "" : `\n${after}`}`;
}

function endOfHead(head: string): number {
  const from = Math.max(0, head.length - Math.min(reach, head.length / 2));
  const line = head.lastIndexOf("\n");
  if (line >= from) return line + 1;
  const word = head.slice(from).search(/[\w+/=.-]+$/);
  if (word > 0) return from + word;
  const whole = head.replace(/[\ud800-\udbff]$/, "");
  return whole.length - (graphemes(whole.slice(-reach)).at(-1)?.length ?? 0);
}

function startOfTail(tail: string): number {
  const to = Math.min(reach, tail.length / 2);
  const line = tail.indexOf("\n");
  // What a private key looks like behind its first line is left out with it.
  if (line !== -1 && line < to) return line + 1 + (encodedLines.exec(tail.slice(line + 1))?.[0].length ?? 0);
  const word = /^[\w+/=.-]*/.exec(tail)?.[0].length ?? 0;
  if (word > 0 && word <= to) return word;
  const joined = /^[\udc00-\udfff]?[\p{M}\p{Emoji_Modifier}\u200d]*/u.exec(tail)?.[0].length ?? 0;
  return joined + (graphemes(tail.slice(joined, joined + reach))[0]?.length ?? 0);
}

/** Lines of Base64. */
const encodedLines = /^(?:[\w+/=]{32,80}\r?\n){0,100}/;

function graphemes(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
