import { literalPropertyOf, propertyOf } from "../outline/inherit.ts";
import type { Outline } from "../outline/outline.ts";
import { endOfLine, startOfLine } from "../text/lines.ts";
import type { Moment } from "../time/timestamp.ts";
import { archiveSubtree, type EditableFiles } from "./archive.ts";
import { changeTodo } from "./change-todo.ts";
import { toggleCheckbox } from "./checkbox.ts";
import { clockIn, clockOut } from "./clock.ts";
import { findDay, wholeSubtree } from "./date-tree.ts";
import type { Marker } from "./draft.ts";
import { changeLevel, insertEntry, moveSibling, pasteEntries, setTitle } from "./insert-entry.ts";
import type { Operation } from "./operation.ts";
import { setPriority } from "./priority.ts";
import { deleteProperty, putProperty } from "./properties.ts";
import { readDate } from "./read-date.ts";
import { archiveToSibling, refile } from "./refile.ts";
import { setDate } from "./schedule.ts";
import { appendText, replaceBody } from "./section-text.ts";
import { type EditableHeadline, type EditSession, headlineAt, type Refusal } from "./session.ts";
import { setTags, toggleTag } from "./tags.ts";

type Placed = Exclude<Operation, { op: "checkbox" | "insert" | "paste" | "capture" }>;

/** Applies one operation. Returns the reason if it is refused. */
export function applyOperation(session: EditSession, operation: Operation, files: EditableFiles): Refusal {
  if (operation.op === "checkbox") return toggleCheckbox(session, operation.line);
  if (operation.op === "capture") return captureOn(session, operation);
  if (operation.op === "insert" || operation.op === "paste") return addEntries(session, operation);
  const place = find(session, operation.at);
  return place === null ? noHeading(operation.at) : applyAt(session, place, { operation, files });
}

function addEntries(
  session: EditSession,
  operation: Extract<Operation, { op: "insert" | "paste" }>,
): Refusal {
  const { at, where = "under" } = operation;
  const place = at === undefined ? null : find(session, at);
  if (at !== undefined && place === null) return noHeading(at);
  return operation.op === "paste"
    ? pasteEntries(session, { place, where }, operation.text)
    : insertEntry(session, { place, where }, { title: operation.title, text: operation.text ?? "" });
}

function captureOn(session: EditSession, operation: Extract<Operation, { op: "capture" }>): Refusal {
  const { title, text = "", date, under } = operation;
  const day = date === undefined ? { moment: session.now } : readDate(date, { now: session.now, old: null });
  if (day === null) return `'${date}' is not a date: write YYYY-MM-DD`;
  const place = under === undefined ? null : find(session, under);
  if (under !== undefined && place === null) return noHeading(under);
  return captureEntry(session, { date: day.moment, under: place, title, text });
}

function applyAt(
  session: EditSession,
  place: Marker,
  { operation, files }: { readonly operation: Placed; readonly files: EditableFiles },
): Refusal {
  switch (operation.op) {
    case "todo":
      return changeTodo(session, place, operation.state === "" ? null : operation.state);
    case "schedule":
      return setDate(session, place, { word: "SCHEDULED", value: operation.value });
    case "deadline":
      return setDate(session, place, { word: "DEADLINE", value: operation.value });
    case "tags":
      return setTags(session, place, tagsOf(operation.value));
    case "priority":
      return setPriority(session, place, operation.value);
    case "put":
      return put(session, place, operation);
    case "delete-property":
      return deleteProperty(session, place, operation.key);
    case "id":
      return createId(session, place);
    case "clock-in":
      return clockIn(session, place);
    case "clock-out":
      return clockOut(session, place);
    case "archive-tag":
      toggleTag(session, place, "ARCHIVE", "other");
      return null;
    case "archive-sibling":
      return archiveToSibling(session, place);
    case "refile": {
      const to = find(session, operation.to);
      return to === null ? noHeading(operation.to) : refile(session, place, to);
    }
    case "archive":
      return archiveSubtree(session, place, files);
    case "move":
      return moveSibling(session, place, operation.to);
    case "promote":
    case "demote":
      return changeLevel(session, place, operation.op === "promote" ? -1 : 1);
    case "title":
      return setTitle(session, place, operation.value);
    case "append":
      return appendText(session, place, operation.text);
    case "body":
      return replaceBody(session, place, operation.text);
  }
}

function put(session: EditSession, place: Marker, { key, value }: { key: string; value: string }): Refusal {
  switch (key) {
    case "TODO":
      return changeTodo(session, place, value.trim() === "" ? null : value);
    case "PRIORITY":
      return setPriority(session, place, value);
    case "SCHEDULED":
    case "DEADLINE":
      return setDate(session, place, { word: key, value });
    default:
      return putProperty(session, place, { name: key, value });
  }
}

function createId(session: EditSession, place: Marker): Refusal {
  const id = literalPropertyOf(headlineAt(session, place).properties, "ID");
  return id !== null && /\S/.test(id)
    ? null
    : putProperty(session, place, { name: "ID", value: session.newId() });
}

function tagsOf(value: string): readonly string[] {
  return value
    .trim()
    .split(":")
    .filter((tag) => tag !== "");
}

/** What may precede, on its line, the title or the ID by which a heading is found. */
const naming = /^(?:\*+ [^\n]*|[ \t]*:(?:CUSTOM_)?ID:[ \t]*)$/i;

/** The first heading with this title, ID or CUSTOM_ID. Headings of foreign origin are only used if no other matches. */
function find(session: EditSession, at: string): Marker | null {
  const { draft } = session;
  const { text } = draft;
  if (at === "") return null;
  const isFromElsewhere = originsIn(session);
  let fromElsewhere: number | null = null;
  for (let hit = text.indexOf(at); hit !== -1; hit = text.indexOf(at, hit + 1)) {
    const line = startOfLine(text, hit);
    if (!naming.test(text.slice(line, hit))) continue;
    const begin = headingOf(text, line);
    if (begin === null || !isNamed(headlineAt(session, { at: begin }), at)) continue;
    if (!isFromElsewhere(begin)) return draft.mark(begin, true);
    fromElsewhere ??= begin;
  }
  return fromElsewhere === null ? null : draft.mark(fromElsewhere, true);
}

/** True if the heading at a place, an ancestor or the file is marked as of foreign origin. */
function originsIn({ draft }: EditSession): (begin: number) => boolean {
  if (!/^[ \t]*:ORIGIN\+?:/im.test(draft.text)) return () => false;
  const { headlines, properties } = draft.outline;
  const isMarked = (drawer: Outline["properties"]): boolean =>
    /^untrusted(?!\S)/.test(propertyOf(drawer, "ORIGIN") ?? "");
  if (isMarked(properties)) return () => true;
  const marked = new Map<number, boolean>();
  const byIndex: boolean[] = [];
  for (const { begin, index, parent, properties: own } of headlines) {
    byIndex[index] = byIndex[parent] === true || isMarked(own);
    marked.set(begin, byIndex[index]);
  }
  return (begin) => marked.get(begin) ?? false;
}

/** Where the heading begins that a line stands below, or is. */
function headingOf(text: string, from: number): number | null {
  for (let line = from; ; line = startOfLine(text, line - 1)) {
    if (/^\*+ /.test(text.slice(line, endOfLine(text, line)))) return line;
    if (line === 0) return null;
  }
}

function isNamed(headline: EditableHeadline, at: string): boolean {
  return [
    headline.title,
    literalPropertyOf(headline.properties, "ID"),
    literalPropertyOf(headline.properties, "CUSTOM_ID"),
  ].includes(at);
}

function noHeading(at: string): string {
  return `no heading has the title or ID '${at}'`;
}

type Entry = {
  readonly date: Moment;
  readonly under: Marker | null;
  readonly title: string;
  readonly text: string;
};

/** Adds an entry below its day in a date tree, which is extended where needed. */
function captureEntry(session: EditSession, { date, under, title, text }: Entry): Refusal {
  const day = findDay(session, { under, date, extent: wholeSubtree });
  return insertEntry(session, { place: day, where: "under" }, { title, text });
}
