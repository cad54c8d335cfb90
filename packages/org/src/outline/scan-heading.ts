import { alphanumeric } from "../text/emacs-characters.ts";
import { skipBlanks, skipBlanksBack } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import type { Headline } from "./outline.ts";

/** The tokens of one heading line. */
export type Heading = Pick<
  Headline,
  "level" | "todo" | "priority" | "comment" | "rawTitleRange" | "title" | "titleRange" | "tags"
>;

/** TODO words, with whether they are done. */
export type TodoWords = ReadonlyMap<string, boolean>;

const tagGroup = new RegExp(`^:[${alphanumeric}_@#%:]+:$`, "u");
const plainTagGroup = /^:[a-zA-Z0-9_@#%:]+:$/;
const priorityCookie = /\[#([A-Z]|[0-9]|[1-5][0-9]|6[0-4])\]( ?)/i;
const strictPriority = /\[#(?:[A-Z]|[0-9]|[1-5][0-9]|6[0-4])\]/y;
const commentAndBlanks = /COMMENT[ \t]+/y;

/**
 * Reads a heading line that ends (without its line feed) at `end`. Emacs reads a heading in two ways: its syntax tree finds a priority anywhere
 * in the line and takes what follows it for the title (`rawTitleRange`), its commands know a priority only before the title (`titleRange`).
 */
export function scanHeading(text: string, begin: number, end: number, words: TodoWords): Heading {
  let level = 0;
  while (text.charCodeAt(begin + level) === 0x2a) level += 1;
  const todo = scanTodo(text, skipBlanks(text, begin + level, end), end, words);
  const afterTodo = skipBlanks(text, todo?.end ?? begin + level, end);
  const priority = scanPriority(text, afterTodo, end);
  const afterPriority = priority === null ? afterTodo : skipOne(text, priority.end, end);
  const comment = scanComment(text, afterPriority, end);
  const titleBegin = comment === null ? afterPriority : skipBlanks(text, comment.end, end);
  const tags = scanTags(text, skipBlanksBack(text, titleBegin, begin), end);
  const titleEnd = tags?.begin ?? end;
  const titleRange = commandTitle(text, { begin: begin + level, end: titleEnd }, words);
  return {
    level,
    todo,
    priority,
    comment,
    rawTitleRange: trim(text, titleBegin, Math.max(titleBegin, titleEnd)),
    title: text.slice(titleRange.begin, titleRange.end),
    titleRange,
    tags,
  };
}

function scanTodo(text: string, begin: number, end: number, words: TodoWords): Headline["todo"] {
  let to = begin;
  while (to < end && text.charCodeAt(to) !== 0x20) to += 1;
  const word = text.slice(begin, to);
  const done = words.get(word);
  return done === undefined ? null : { begin, end: to, word, done };
}

function scanPriority(text: string, begin: number, end: number): Headline["priority"] {
  const found = begin < end ? priorityCookie.exec(text.slice(begin, end)) : null;
  if (found === null) return null;
  const [cookie, value = "", blank = ""] = found;
  const at = begin + found.index;
  return { begin: at, end: at + cookie.length - blank.length, value };
}

function skipOne(text: string, at: number, end: number): number {
  return at < end && text[at] === " " ? at + 1 : at;
}

function scanComment(text: string, begin: number, end: number): Range | null {
  const to = begin + "COMMENT".length;
  if (!text.startsWith("COMMENT", begin) || to > end || (to < end && text[to] !== " ")) return null;
  return { begin, end: to };
}

/** The last word of the line, if it is a group of tags with a blank before it, not before `from`. */
function scanTags(text: string, from: number, lineEnd: number): Headline["tags"] {
  const end = skipBlanksBack(text, lineEnd, from);
  if (text[end - 1] !== ":") return null;
  let begin = end - 1;
  while (begin > from && text[begin - 1] !== " " && text[begin - 1] !== "\t") begin -= 1;
  if (begin <= from || text[begin] !== ":") return null;
  const group = text.slice(begin, end);
  if (!plainTagGroup.test(group) && !tagGroup.test(group)) return null;
  return { begin, end, names: group.slice(1, -1).split(":") };
}

function trim(text: string, begin: number, end: number): Range {
  let from = begin;
  let to = end;
  while (from < to && " \t\r".includes(text[from] ?? "")) from += 1;
  while (to > from && " \t\r".includes(text[to - 1] ?? "")) to -= 1;
  return { begin: from, end: to };
}

/** The title as Emacs's commands have it. `begin` is after the stars, `end` before the tags. */
function commandTitle(text: string, { begin, end: limit }: Range, words: TodoWords): Range {
  const end = skipBlanksBack(text, limit, begin);
  const afterTodo = skipWord(text, begin, end, words);
  const cookie = skipSpaces(text, afterTodo, end);
  strictPriority.lastIndex = cookie;
  const hasCookie = cookie > afterTodo && strictPriority.test(text);
  const afterCookie = hasCookie ? strictPriority.lastIndex : cookie;
  const counts = hasCookie && (afterCookie === end || text[afterCookie] === " ");
  const title = skipSpaces(text, counts ? afterCookie : afterTodo, end);
  commentAndBlanks.lastIndex = title;
  const plain = commentAndBlanks.test(text) ? Math.min(commentAndBlanks.lastIndex, end) : title;
  return plain < end || title === end ? { begin: plain, end } : { begin: title, end };
}

function skipWord(text: string, begin: number, end: number, words: TodoWords): number {
  const from = skipSpaces(text, begin, end);
  let to = from;
  while (to < end && text[to] !== " " && text[to] !== "\t") to += 1;
  const isWord = from > begin && words.has(text.slice(from, to)) && (to === end || text[to] === " ");
  return isWord ? to : begin;
}

function skipSpaces(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && text[to] === " ") to += 1;
  return to;
}
