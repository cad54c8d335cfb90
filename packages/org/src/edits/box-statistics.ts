import { findBlocks } from "../outline/file-keywords.ts";
import { literalPropertyOf } from "../outline/inherit.ts";
import type { Headline } from "../outline/outline.ts";
import { endOfLine, indentationAt, nextLine, startOfLine } from "../text/lines.ts";
import { startsItem } from "../text/list-item.ts";
import type { Range } from "../text/range.ts";
import { type EditableList, type EditableListItem, readList } from "./list-items.ts";
import type { EditSession } from "./session.ts";
import { alignTags } from "./tags.ts";
import { cookieFor } from "./todo-statistics.ts";

/** What Emacs takes for an item with a checkbox when it counts: no blank is needed after the box. */
const boxed =
  /^[ \t]*(?:[-+*]|(?:\d+|[A-Za-z])[.)])[ \t]+(?:\[@(?:start:)?(?:\d+|[A-Za-z])\][ \t]*)?\[[- X]\]/i;
const cookie = /\[(?:\d*%|\d*\/\d*)\]/g;

/** Updates the checkbox statistics of a section, in its heading and in its items. */
export function updateBoxStatistics(session: EditSession, heading: number | null): void {
  const { draft } = session;
  const headline = draft.outline.headlines.find(({ begin }) => begin === heading) ?? null;
  const data = headline === null ? "" : (literalPropertyOf(headline.properties, "COOKIE_DATA") ?? "");
  if (/\btodo\b/i.test(data)) return;
  const recursive = /\brecursive\b/i.test(data);
  const section = sectionOf(session, headline);
  const { text } = draft;
  const blocks = findBlocks(text, section);
  const lists = listsOf(text, section, blocks);
  const found = [...text.slice(section.begin, section.end).matchAll(cookie)].reverse();
  for (const { index, 0: old } of found) {
    const begin = section.begin + index;
    if (!isCookie(text, begin, { headline, blocks })) continue;
    const fresh = cookieFor(old, count(text, begin, { lists, recursive }));
    draft.replace({ begin, end: begin + old.length }, fresh);
  }
  if (headline !== null && found.length > 0) alignAfterCookie(session, headline.begin);
}

function alignAfterCookie(session: EditSession, begin: number): void {
  const line = session.draft.text.slice(begin, endOfLine(session.draft.text, begin));
  if (line.search(cookie) !== -1) alignTags(session, { at: begin });
}

function sectionOf({ draft }: EditSession, headline: Headline | null): Range {
  return headline === null
    ? { begin: 0, end: draft.outline.sectionEnd }
    : { begin: headline.begin, end: headline.sectionEnd };
}

function isCookie(
  text: string,
  at: number,
  { headline, blocks }: { headline: Headline | null; blocks: readonly Range[] },
): boolean {
  if (blocks.some(({ begin, end }) => begin <= at && at < end)) return false;
  const { properties = null } = headline ?? {};
  if (properties !== null && at >= properties.begin && at < properties.end) return false;
  const start = startOfLine(text, at);
  return !/^[ \t]*(?:#(?: |$)|: |#\+\S+:|CLOCK:)/.test(text.slice(start, endOfLine(text, at)));
}

/** The lists of a section that have a box. */
function listsOf(text: string, section: Range, blocks: readonly Range[]): readonly EditableList[] {
  const lists: EditableList[] = [];
  for (let line = section.begin; line < section.end; line = nextLine(text, line)) {
    const block = blocks.find(({ begin, end }) => begin < nextLine(text, line) && line < end);
    if (block !== undefined) line = block.end - 1;
    else if (startsItem(text, line) && boxed.test(text.slice(line, endOfLine(text, line)))) {
      const list = readList(text, line, { begin: lists.at(-1)?.end ?? section.begin, end: section.end });
      lists.push(list);
      line = Math.max(line, list.end - 1);
    }
  }
  return lists;
}

function count(
  text: string,
  at: number,
  { lists, recursive }: { lists: readonly EditableList[]; recursive: boolean },
): { done: number; all: number } {
  const owner = ownerOf(text, at, lists);
  const counted =
    owner === null
      ? lists.flatMap(({ items }) => items.filter(({ parent }) => recursive || parent === -1))
      : below(owner, recursive);
  const boxes = counted.flatMap(({ box }) => (box === null ? [] : [box.value]));
  return { done: boxes.filter((value) => value === "X").length, all: boxes.length };
}

type Owner = { readonly items: readonly EditableListItem[]; readonly at: number };

/** The list item that an offset is in. */
function ownerOf(text: string, at: number, lists: readonly EditableList[]): Owner | null {
  const line = startOfLine(text, at);
  const list = lists.find(({ items, end }) => (items[0]?.begin ?? end) <= line && line < end);
  if (list === undefined) return null;
  const indent = indentationAt(text, line);
  const own = list.items.findLastIndex(
    ({ begin, indent: other }) => begin === line || (begin < line && other < indent),
  );
  return own === -1 ? null : { items: list.items, at: own };
}

function below({ items, at }: Owner, recursive: boolean): readonly EditableListItem[] {
  if (!recursive) return items.filter(({ parent }) => parent === at);
  const end = items.findIndex(({ indent }, other) => other > at && indent <= (items[at]?.indent ?? 0));
  return items.slice(at + 1, end === -1 ? items.length : end);
}
