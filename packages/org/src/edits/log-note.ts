import { blanksTo, endOfLine, isBlankFrom, isLineStart, nextLine, startOfLine } from "../text/lines.ts";
import { printMoment } from "../time/calendar.ts";
import type { Marker } from "./draft.ts";
import { indentForLine } from "./expected-indent.ts";
import { endOfMetadata, findDrawers } from "./find-drawers.ts";
import { listAbove, skipStateNotes } from "./list-lines.ts";
import { propertyWithInheritance } from "./read-property.ts";
import { type EditableHeadline, type EditSession, headlineAt, type PendingLog } from "./session.ts";

const timestamp = /<\d{4}-\d\d-\d\d(?: [^\n]*?)?>/;

/** Writes the pending log record of an operation into its entry: into the drawer, or right below the heading's own lines. */
export function writePendingLog(session: EditSession): void {
  const { pending, note } = session;
  session.pending = null;
  session.note = "";
  if (pending === null) return;
  const { draft } = session;
  let at = logBeginning(session, pending.place);
  if (!isLineStart(draft.text, at)) {
    draft.replace({ begin: at, end: at }, "\n");
    at += 1;
  } else if (!isBlankFrom(draft.text, at)) draft.replace({ begin: at, end: at }, "\n");
  const indent = listAbove(draft.text, at) ?? indentForLine(draft.text, at);
  const [first = "", ...rest] = linesOf(session, pending, note);
  const body = rest.map((line) => (line === "" ? "" : blanksTo(indent + 2) + line));
  const lines = [`${blanksTo(indent)}- ${first}`, ...body];
  draft.replace({ begin: at, end: endOfLine(draft.text, at) }, lines.join("\n"));
}

/** The drawer for an entry's log records; null if they go right below the heading. */
export function logDrawer(session: EditSession, headline: EditableHeadline): string | null {
  const said = propertyWithInheritance(session, headline, "LOG_INTO_DRAWER");
  if (said === "nil") return null;
  if (said !== null) return said === "t" ? "LOGBOOK" : said;
  return session.log.intoDrawer ? "LOGBOOK" : null;
}

function linesOf({ now }: EditSession, { purpose, state, previous }: PendingLog, note: string): string[] {
  const at = `[${printMoment(now)}]`;
  const quoted = (value: string | null) =>
    value === null ? "" : timestamp.test(value) ? `"[${value.slice(1, -1)}]"` : `"${value}"`;
  const heading = {
    done: `CLOSING NOTE ${at}`,
    state: `State ${quoted(state).padEnd(12)} from ${quoted(previous).padEnd(12)} ${at}`,
    reschedule: `Rescheduled from ${quoted(previous)} on ${at}`,
    delschedule: `Not scheduled, was ${quoted(previous)} on ${at}`,
    redeadline: `New deadline from ${quoted(previous)} on ${at}`,
    deldeadline: `Removed deadline, was ${quoted(previous)} on ${at}`,
    refile: `Refiled on ${at}`,
  }[purpose];
  const lines = note.trim() === "" ? [] : note.trim().split("\n");
  return [lines.length === 0 ? heading : `${heading} \\\\`, ...lines];
}

function logBeginning(session: EditSession, place: Marker): number {
  const headline = headlineAt(session, place);
  const drawer = logDrawer(session, headline);
  const at = drawer === null ? besideDrawers(session, headline) : insideDrawer(session, headline, drawer);
  return isLineStart(session.draft.text, at) ? at : nextLine(session.draft.text, at);
}

function besideDrawers({ draft: { text }, log }: EditSession, headline: EditableHeadline): number {
  const meta = endOfMetadata(headline);
  let at = meta;
  while (" \t\n".includes(text[at] ?? "x")) at += 1;
  at = startOfLine(text, at);
  if (!log.reversed) {
    at = skipStateNotes(text, at);
    while (at > 0 && " \t\n".includes(text[at - 1] ?? "x")) at -= 1;
    at = nextLine(text, at);
  }
  return Math.max(at, meta);
}

function insideDrawer(session: EditSession, headline: EditableHeadline, name: string): number {
  const { draft, log } = session;
  const drawer = findDrawers(draft.text, headline).find(
    (one) => one.begin >= endOfMetadata(headline) && one.name.toUpperCase() === name.toUpperCase(),
  );
  if (drawer !== undefined) {
    const filled = drawer.contents.end > drawer.contents.begin;
    return !log.reversed && filled ? drawer.contents.end : drawer.contents.begin;
  }
  return makeDrawer(session, headline, name);
}

/** Creates an empty drawer below an entry's own lines. Returns the offset of its last line. */
function makeDrawer({ draft }: EditSession, headline: EditableHeadline, name: string): number {
  const { text } = draft;
  const meta = endOfMetadata(headline);
  const atLine = isLineStart(text, meta);
  const blanks = blanksTo(indentForLine(text, meta));
  const drawer = `${blanks}:${name}:\n${blanks}:END:`;
  draft.replace({ begin: meta, end: meta }, atLine ? `${drawer}\n` : `\n${drawer}`);
  return meta + (atLine ? 0 : 1) + blanks.length + name.length + 3;
}
