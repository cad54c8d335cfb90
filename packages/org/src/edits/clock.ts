import type { Headline } from "../outline/outline.ts";
import { blanksTo, endOfLine, isLineStart, nextLine, startOfLine } from "../text/lines.ts";
import { dayNumber, printMoment } from "../time/calendar.ts";
import type { Moment } from "../time/timestamp.ts";
import type { Marker } from "./draft.ts";
import { indentForLine } from "./expected-indent.ts";
import { endOfMetadata, findDrawers } from "./find-drawers.ts";
import { logDrawer } from "./log-note.ts";
import { propertyWithInheritance } from "./read-property.ts";
import { type EditableHeadline, type EditSession, headlineAt, type Refusal } from "./session.ts";

/** Starts the clock of an entry, and stops a clock that these operations started. A clock that ran before is refused: it must be stopped first. */
export function clockIn(session: EditSession, place: Marker): Refusal {
  if (session.clock !== null && headingAbove(session, session.clock.at)?.begin === place.at) return null;
  const running = session.clock === null ? openClock(session) : null;
  if (running?.begin === place.at) return null;
  if (running !== null) return `a clock is already running, at '${running.title}': stop it first`;
  if (session.clock !== null) clockOut(session, place);
  const at = clockPosition(session, place);
  const { draft } = session;
  const line = `${blanksTo(indentForLine(draft.text, at))}CLOCK: [${printMoment(session.now)}]`;
  draft.replace({ begin: at, end: at }, `${line}\n`);
  session.clock = draft.mark(at + line.length);
  return null;
}

/** Stops the clock that these operations started, wherever it runs, or else the clock of the entry. */
export function clockOut(session: EditSession, place: Marker): Refusal {
  const open = headlineAt(session, place).clocks.find(({ minutes }) => minutes === null);
  const at = session.clock?.at ?? open?.begin;
  if (at === undefined) return "no clock is running at this entry";
  stopClock(session, startOfLine(session.draft.text, at));
  const heading = headingAbove(session, at);
  if (heading !== null) removeEmptyDrawers(session, heading);
  return null;
}

/** Stops the clock that these operations started, if it runs in an entry that is done now. */
export function clockOutIfDone(session: EditSession, place: Marker): void {
  const { begin, sectionEnd } = headlineAt(session, place);
  const at = session.clock?.at ?? -1;
  if (at > begin && at < sectionEnd) clockOut(session, place);
}

function headingAbove({ draft }: EditSession, at: number): Headline | null {
  return draft.outline.headlines.findLast(({ begin }) => begin <= at) ?? null;
}

function openClock({ draft }: EditSession): Headline | null {
  return draft.outline.headlines.find(({ clocks }) => clocks.some(({ minutes }) => minutes === null)) ?? null;
}

function stopClock(session: EditSession, line: number): void {
  const { draft, now } = session;
  session.clock = null;
  const end = endOfLine(draft.text, line);
  const begun = /CLOCK:[ \t]*\[(\d{4})-(\d\d)-(\d\d)[^\]\n]*?(?: (\d{1,2}):(\d\d))?\]/i.exec(
    draft.text.slice(line, end),
  );
  if (begun === null) return;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = begun.slice(1).map(Number);
  const minutes = minutesOf(now) - minutesOf({ year, month, day, hour, minute });
  const hours = Math.floor(minutes / 60);
  const rest = `${minutes - hours * 60}`.padStart(2, "0");
  const from = line + begun.index + begun[0].length;
  draft.replace({ begin: from, end }, `--[${printMoment(now)}] => ${`${hours}`.padStart(2)}:${rest}`);
}

function minutesOf(moment: Moment): number {
  return dayNumber(moment) * 1440 + (moment.hour ?? 0) * 60 + (moment.minute ?? 0);
}

/** The offset of the next clock line of an entry. Creates the drawer for it if needed. */
function clockPosition(session: EditSession, place: Marker): number {
  const { draft, log } = session;
  const headline = headlineAt(session, place);
  const { name, least } = clockDrawer(session, headline);
  const drawer = findDrawers(draft.text, headline).find(
    (one) => one.name.toUpperCase() === name?.toUpperCase(),
  );
  if (drawer !== undefined) {
    const filled = drawer.contents.end > drawer.contents.begin;
    return !log.reversed && filled ? drawer.contents.end : drawer.contents.begin;
  }
  const lines = headline.clocks.map(({ begin }) => startOfLine(draft.text, begin));
  const [first] = lines;
  if (first === undefined)
    return name !== null && least < 2 ? makeDrawer(session, headline, name) : endOfBare(session, headline);
  if (name !== null && lines.length + 1 >= least) return wrapClocks(session, headline, name);
  return log.reversed ? first : (lines.at(-1) ?? first);
}

function clockDrawer(
  session: EditSession,
  headline: EditableHeadline,
): { name: string | null; least: number } {
  const said = propertyWithInheritance(session, headline, "CLOCK_INTO_DRAWER");
  const log = logDrawer(session, headline) ?? "LOGBOOK";
  if (said === "nil") return { name: null, least: 0 };
  if (said === null || said === "t") return { name: log, least: 0 };
  return /^\d+$/.test(said) ? { name: log, least: Number(said) } : { name: said, least: 0 };
}

function endOfBare({ draft }: EditSession, headline: EditableHeadline): number {
  const at = endOfMetadata(headline);
  if (isLineStart(draft.text, at)) return at;
  draft.replace({ begin: at, end: at }, "\n");
  return at + 1;
}

function makeDrawer(session: EditSession, headline: EditableHeadline, name: string): number {
  const { draft } = session;
  const at = endOfBare(session, headline);
  const blanks = blanksTo(indentForLine(draft.text, at));
  draft.replace({ begin: at, end: at }, `${blanks}:${name}:\n${blanks}:END:\n`);
  return nextLine(draft.text, at);
}

/** Moves all clock lines of an entry into a drawer at its top. Returns the offset of the next one. */
function wrapClocks(session: EditSession, headline: EditableHeadline, name: string): number {
  const { draft, log } = session;
  const lines: string[] = [];
  for (const { begin } of headline.clocks.toReversed()) {
    const line = startOfLine(draft.text, begin);
    const end = nextLine(draft.text, begin);
    lines.push(draft.text.slice(line, end).trim());
    draft.replace({ begin: line, end }, "");
  }
  const at = endOfMetadata(headline);
  const body = [`:${name}:`, ...lines, ":END:"].map((line) => `${line}\n`);
  draft.replace({ begin: at, end: at }, body.join(""));
  // Emacs puts the clock below the newest line, or, with the newest last, above it.
  const first = nextLine(draft.text, at);
  return first + body.slice(1, log.reversed ? 2 : -2).join("").length;
}

function removeEmptyDrawers(session: EditSession, { index, end }: Headline): void {
  const { draft } = session;
  const inside = draft.outline.headlines.slice(index).filter(({ begin }) => begin < end);
  for (const headline of inside.toReversed()) {
    const { name } = clockDrawer(session, headline);
    for (const drawer of findDrawers(draft.text, headline).toReversed()) {
      const empty = draft.text.slice(drawer.contents.begin, drawer.contents.end).trim() === "";
      if (empty && drawer.name.toUpperCase() === name?.toUpperCase()) draft.replace(drawer, "");
    }
  }
}
