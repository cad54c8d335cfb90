import { findBlocks } from "../outline/file-keywords.ts";
import { literalPropertyOf } from "../outline/inherit.ts";
import type { Headline } from "../outline/outline.ts";
import { nextLine } from "../text/lines.ts";
import { startsItem } from "../text/list-item.ts";
import type { Range } from "../text/range.ts";
import { updateBoxStatistics } from "./box-statistics.ts";
import { findDrawers } from "./find-drawers.ts";
import { type EditableList, type EditableListItem, readList } from "./list-items.ts";
import type { EditSession, Refusal } from "./session.ts";

type Boxes = (string | null)[];

/** Toggles the checkbox of the item on a line, counted from 1; on a heading, all checkboxes of its lists. */
export function toggleCheckbox(session: EditSession, number: number): Refusal {
  const { draft } = session;
  const line = lineNumbered(draft.text, number);
  if (line === null) return `the text has no line ${number}`;
  const headline = draft.outline.headlines.findLast(({ begin }) => begin <= line) ?? null;
  const section = { begin: headline?.begin ?? 0, end: headline?.sectionEnd ?? draft.outline.sectionEnd };
  const refusal =
    headline?.begin === line ? toggleAll(session, headline) : toggleOne(session, { line, section, headline });
  if (refusal === null) updateBoxStatistics(session, headline === null ? null : headline.begin);
  return refusal;
}

function toggleOne(
  session: EditSession,
  { line, section, headline }: { line: number; section: Range; headline: Headline | null },
): Refusal {
  const { text } = session.draft;
  const inside = findBlocks(text, section).some(({ begin, end }) => begin < line && line < end);
  if (inside || !startsItem(text, line)) return "that line is neither a list item nor a heading";
  const list = readList(text, line, boundsOf(text, { line, section, headline }));
  const at = list.items.findIndex(({ begin }) => begin === line);
  const wanted = list.items[at]?.box?.value === "X" ? " " : "X";
  const boxes = boxesOf(list).map((box, index) => (index === at && box !== null ? wanted : box));
  const blocked = settle(list, boxes, isOrdered(headline));
  if (blocked !== null && blocked < at)
    return "the entry is ORDERED, and a checkbox before this one is still open";
  writeBoxes(session, list, boxes);
  return null;
}

function toggleAll(session: EditSession, headline: Headline): Refusal {
  const { draft } = session;
  const lists = listsBelow(draft.text, headline);
  const [first] = lists[0]?.items ?? [];
  if (first === undefined) return "there is no list below the heading";
  const wanted = first.box?.value === "X" ? " " : "X";
  for (const list of lists.toReversed()) {
    const boxes = boxesOf(list).map((box) => (box === null ? null : wanted));
    settle(list, boxes, isOrdered(headline));
    writeBoxes(session, list, boxes);
  }
  return null;
}

/** The lists of an entry, those in its drawers and blocks left out. */
function listsBelow(text: string, headline: Headline): readonly EditableList[] {
  const { lineEnd, sectionEnd } = headline;
  const closed = [...findDrawers(text, headline), ...findBlocks(text, { begin: lineEnd, end: sectionEnd })];
  const lists: EditableList[] = [];
  for (let line = headline.planning?.end ?? lineEnd; line < sectionEnd; line = nextLine(text, line)) {
    const skipped = closed.find(({ begin, end }) => begin < nextLine(text, line) && line < end);
    if (skipped !== undefined) line = skipped.end - 1;
    else if (startsItem(text, line)) {
      const list = readList(text, line, { begin: line, end: sectionEnd });
      lists.push(list);
      line = Math.max(line, list.end - 1);
    }
  }
  return lists;
}

function boundsOf(
  text: string,
  { line, section, headline }: { line: number; section: Range; headline: Headline | null },
): Range {
  const drawer =
    headline === null
      ? undefined
      : findDrawers(text, headline).find(({ contents }) => contents.begin <= line && line < contents.end);
  return drawer?.contents ?? section;
}

function lineNumbered(text: string, number: number): number | null {
  let at = 0;
  for (let line = 1; line < number; line += 1) {
    const next = nextLine(text, at);
    if (next === at || (next === text.length && text[next - 1] !== "\n")) return null;
    at = next;
  }
  return at;
}

function isOrdered(headline: Headline | null): boolean {
  const value = headline === null ? null : literalPropertyOf(headline.properties, "ORDERED");
  return value !== null && value !== "nil";
}

function boxesOf({ items }: EditableList): Boxes {
  return items.map(({ box }) => box?.value ?? null);
}

/** Sets each parent's checkbox from its children. In an ordered entry no box may be checked after an open one: returns the index of the first open box if that rule is broken. */
function settle({ items }: EditableList, boxes: Boxes, ordered: boolean): number | null {
  const parents = [...new Set(items.map(({ parent }) => parent))].filter(
    (at) => at !== -1 && boxes[at] !== null,
  );
  const indentOf = (at: number) => items[at]?.indent ?? 0;
  for (const parent of parents.toSorted((one, other) => indentOf(other) - indentOf(one))) {
    boxes[parent] =
      boxOver(childrenOf(items, parent).map((at) => boxes[at] ?? null)) ?? boxes[parent] ?? null;
  }
  if (!ordered) return null;
  const open = boxes.indexOf(" ");
  if (open === -1 || !boxes.slice(open).includes("X")) return null;
  for (let at = open; at < boxes.length; at += 1) if (boxes[at] !== null) boxes[at] = " ";
  settle({ items, end: 0 }, boxes, false);
  return open;
}

function childrenOf(items: readonly EditableListItem[], parent: number): readonly number[] {
  return items.flatMap((item, at) => (item.parent === parent ? [at] : []));
}

function boxOver(boxes: Boxes): string | null {
  const has = (value: string) => boxes.includes(value);
  if (has("-") || (has(" ") && has("X"))) return "-";
  if (has("X")) return "X";
  return has(" ") ? " " : null;
}

function writeBoxes({ draft }: EditSession, { items }: EditableList, boxes: Boxes): void {
  for (const [at, { bullet, box }] of [...items.entries()].toReversed()) {
    const value = boxes[at] ?? null;
    if (box === null || value === null || value === box.value) continue;
    draft.replace(box, `[${value}]`);
    // Emacs leaves one blank after the bullet of an item that it changes.
    const mark = draft.text.slice(bullet.begin, bullet.end);
    draft.replace(bullet, `${mark.trimEnd()} `);
  }
}
