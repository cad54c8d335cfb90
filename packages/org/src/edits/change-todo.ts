import type { TodoState } from "../outline/outline.ts";
import { endOfLine, skipBlanks } from "../text/lines.ts";
import { clockOutIfDone } from "./clock.ts";
import type { Marker } from "./draft.ts";
import { localLogging } from "./log-settings.ts";
import { removePlanning, setPlanning, stampOf } from "./planning.ts";
import { propertyWithInheritance } from "./read-property.ts";
import { repeatEntry } from "./repeat-entry.ts";
import { type EditSession, headlineAt, type LogSettings, type PendingLog, type Refusal } from "./session.ts";
import { alignTags } from "./tags.ts";
import { updateParentStatistics } from "./todo-statistics.ts";

/** Changes an entry's TODO state as Emacs does, with logging, and repeats the entry if it has a repeater. Null removes the state. */
export function changeTodo(session: EditSession, place: Marker, to: string | null): Refusal {
  if (to !== null && stateOf(session, to) === undefined) {
    return `'${to}' is not a TODO state of this file`;
  }
  const commented = takeComment(session, place);
  const refusal = change(session, place, { to, log: session.log, last: null });
  if (commented) putComment(session, place);
  return refusal;
}

type Change = {
  readonly to: string | null;
  readonly log: LogSettings;
  /** The state that a repeat started from; null if this is no repeat. */
  readonly last: string | null;
};

function change(session: EditSession, place: Marker, { to, log, last }: Change): Refusal {
  const before = writeState(session, place, to);
  const local = localSettings(session, place, log);
  const was = stateOf(session, before);
  const is = to === null ? undefined : stateOf(session, to);
  const nowDone = is?.done === true && was?.done !== true;
  if (local.states.size > 0 || local.done !== null) logChange(session, place, { before, to, log: local });
  alignTags(session, place);
  updateParentStatistics(session, place);
  if (is?.done === true) clockOutIfDone(session, place);
  if (!nowDone || last !== null) {
    tidyBlanks(session, place);
    return null;
  }
  const back = (state: string | null): void => {
    change(session, place, { to: state, log: { ...local, done: null, states: new Map() }, last: before });
  };
  const refusal = repeatEntry(session, place, {
    done: to ?? "",
    last: before,
    repeatLog: local.repeat,
    back,
  });
  tidyBlanks(session, place);
  return refusal;
}

/** Writes the TODO keyword. Returns the previous one; an empty string if there was none. */
function writeState(session: EditSession, place: Marker, to: string | null): string {
  const { draft } = session;
  const { level, begin, ...headline } = headlineAt(session, place);
  const { text } = draft;
  const stars = begin + level;
  // Emacs reads no TODO state after a tab.
  const todo = text.slice(stars, headline.todo?.begin ?? stars).includes("\t") ? null : headline.todo;
  let end = todo?.end ?? stars;
  while (text[end] === " ") end += 1;
  const blank = skipBlanks(text, end, text.length);
  if (blank === endOfLine(text, end)) end = blank;
  draft.replace({ begin: stars, end }, to === null ? " " : ` ${to} `);
  return todo?.word ?? "";
}

/** Leaves one space after the state, or after the stars, unless tags follow. */
function tidyBlanks(session: EditSession, place: Marker): void {
  const { draft } = session;
  const { todo, begin, level } = headlineAt(session, place);
  const { text } = draft;
  const from = todo?.end ?? begin + level;
  if (text[from] !== " " || /^ *:/.test(text.slice(from, endOfLine(text, from)))) return;
  draft.replace({ begin: from, end: skipBlanks(text, from, text.length) }, " ");
}

function localSettings(session: EditSession, place: Marker, log: LogSettings): LogSettings {
  const logging = propertyWithInheritance(session, headlineAt(session, place), "LOGGING");
  return logging === null ? log : localLogging(log, logging);
}

function logChange(
  session: EditSession,
  place: Marker,
  { before, to, log }: { before: string; to: string | null; log: LogSettings },
): void {
  const was = stateOf(session, before);
  const is = to === null ? undefined : stateOf(session, to);
  const how = log.states.get(to ?? "")?.enter ?? log.states.get(before)?.leave ?? null;
  const openAgain = is?.done === false && (was === undefined || was.done);
  if (to === null || openAgain) removePlanning(session, place, "CLOSED");
  if (is?.done === true && was?.done !== true && log.done !== null) {
    setPlanning(session, place, { word: "CLOSED", stamp: stampOf(session.now, "[]"), without: [] });
    if (how === null && log.done === "note")
      want(session, { purpose: "done", state: to, previous: before, place });
  }
  if (to !== null && how !== null) want(session, { purpose: "state", state: to, previous: before, place });
}

function want(session: EditSession, log: PendingLog): void {
  session.pending = log.previous === "" ? { ...log, previous: null } : log;
}

function stateOf({ settings: { todo } }: EditSession, word: string): TodoState | undefined {
  return todo.find((state) => state.word === word);
}

function takeComment(session: EditSession, place: Marker): boolean {
  const { comment } = headlineAt(session, place);
  if (comment === null) return false;
  const { draft } = session;
  const end = endOfLine(draft.text, comment.end);
  draft.replace({ begin: comment.begin, end: skipBlanks(draft.text, comment.end, end) }, "");
  return true;
}

function putComment(session: EditSession, place: Marker): void {
  const { draft } = session;
  const { todo, priority, begin, level } = headlineAt(session, place);
  const after = priority?.end ?? todo?.end ?? begin + level;
  const at = skipBlanks(draft.text, after, draft.text.length);
  const lead = at === after ? " " : "";
  draft.replace({ begin: at, end: at }, `${lead}COMMENT${at === endOfLine(draft.text, at) ? "" : " "}`);
}
