import { findTimestamps } from "../outline/scan-timestamp.ts";
import { printMoment } from "../time/calendar.ts";
import type { Marker } from "./draft.ts";
import { planned, removeStamps, setPlanning } from "./planning.ts";
import { readDate } from "./read-date.ts";
import { type EditSession, headlineAt, type PendingLog, type Refusal } from "./session.ts";

type Word = "DEADLINE" | "SCHEDULED";

const repeater = /[.+-]+\d+[hdwmy](?:[/ ][-+]?\d+[hdwmy])?/;
const bracketed = /[[<]\d{4}-\d\d-\d\d(?: [^\n]*?)?[\]>]/;

/** Sets the SCHEDULED or DEADLINE date of an entry. The old repeater stays unless the value is a timestamp with its own. An empty value removes the date. */
export function setDate(
  session: EditSession,
  place: Marker,
  { word, value }: { word: Word; value: string },
): Refusal {
  const { draft, log, now } = session;
  const old = planned(draft.text, headlineAt(session, place), word);
  const how = word === "DEADLINE" ? log.redeadline : log.reschedule;
  if (value.trim() === "") {
    if (old === null) return null;
    if (how !== null) want(session, { word, state: null, previous: old, place });
    removeStamps(session, place, word);
    return null;
  }
  const before = old === null ? null : (findTimestamps(old, { begin: 0, end: old.length })[0]?.start ?? null);
  const date = readDate(value, { now, old: before });
  if (date === null) return `'${value}' is not a date: write YYYY-MM-DD`;
  const cookie =
    (bracketed.test(value) ? repeater.exec(value.replaceAll(/\d{4}-\d\d-\d\d/g, "")) : null) ??
    repeater.exec((old ?? "").replaceAll(/\d{4}-\d\d-\d\d/g, ""));
  const written = `${printMoment(date.moment)}${date.endTime}`;
  setPlanning(session, place, {
    word,
    stamp: `<${written}${cookie === null ? "" : ` ${cookie[0]}`}>`,
    without: ["CLOSED"],
  });
  if (old !== null && how !== null && old !== `<${written}>`) {
    want(session, { word, state: `<${written}>`, previous: old, place });
  }
  return null;
}

function want(
  session: EditSession,
  { word, state, previous, place }: Pick<PendingLog, "state" | "previous" | "place"> & { word: Word },
): void {
  const purpose = `${state === null ? "del" : "re"}${word === "DEADLINE" ? "deadline" : "schedule"}` as const;
  session.pending = { purpose, state, previous, place };
}
