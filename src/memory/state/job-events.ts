import { type EventFact, eventNames, type RunEvents } from "../../signal/jobs/job-event.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, json, oneOf, type Row, text } from "../storage/rows.ts";
import { timeForDeleting } from "./deleting-clock.ts";

/** An event that a job waits for. */
export type JobEvent = EventFact & { readonly job: string };

/** The changes that a scan found at a place, such as a folder: names with their new stamps, and names that are gone. */
export type SeenPlace = {
  readonly place: string;
  readonly changed: readonly (readonly [name: string, stamp: string])[];
  readonly gone: readonly string[];
};

/** The events of a job that have no run yet. Unix milliseconds. */
export type WaitingEvents = {
  readonly job: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
};

/** The queue of events. An event is a row, unique by job and key; events that wait become one run together. */
export type JobEvents = {
  /** Saves events, together with the scan that found them, forced to disk. A known event changes nothing. */
  readonly note: (events: readonly JobEvent[], seen?: SeenPlace) => Promise<void>;
  readonly waiting: () => Promise<readonly WaitingEvents[]>;
  /** Makes one run of all waiting events of a job up to a time: queued, or missed for a reason. */
  readonly plan: (job: string, until: number, missed: string | null) => Promise<void>;
  /** The events that led to a run. */
  readonly ofRun: (run: { readonly job: string; readonly scheduled: number }) => Promise<RunEvents>;
  /** The last scan of a place; null if it was never scanned. */
  readonly seen: (place: string) => Promise<ReadonlyMap<string, string> | null>;
  /** Forgets the scans of all other places. */
  readonly keepPlaces: (places: readonly string[]) => Promise<void>;
};

/** The tables of events and of scans. A scanned place has a row with an empty name. */
export const jobEventTables = `
CREATE TABLE IF NOT EXISTS job_events (
  job TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, subject TEXT NOT NULL, at INTEGER NOT NULL, count INTEGER NOT NULL,
  chain TEXT NOT NULL, run INTEGER, PRIMARY KEY (job, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS job_events_waiting ON job_events (job, at) WHERE run IS NULL;
CREATE INDEX IF NOT EXISTS job_events_by_run ON job_events (job, run) WHERE run IS NOT NULL;
CREATE TABLE IF NOT EXISTS job_places (
  place TEXT NOT NULL, name TEXT NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (place, name)
) STRICT, WITHOUT ROWID;
`;

/** Events of one run that are kept one by one; the rest is counted. */
const mostListed = 100;
/** Milliseconds for which ended runs and their events are kept: 90 days. */
const kept = 90 * 86_400_000;

/** Whether a run of the job `?1` asks a model. */
export const asksModel =
  "coalesce((SELECT body ->> '$.job.work.tier' FROM jobs WHERE name = ?1), 'reflex') <> 'reflex'";

/** The events of a database. */
export function openJobEvents(database: Database, clock: Clock): JobEvents {
  return {
    note: async (events, seen) => {
      await database.forced(() => {
        for (const event of events) keepEvent(database, event);
        if (seen !== undefined) keepSeen(database, seen);
      });
    },
    waiting: async () =>
      database
        .all(
          "SELECT job, min(at) AS first, max(at) AS last, sum(count) AS count FROM job_events WHERE run IS NULL GROUP BY job",
        )
        .map((row) => ({
          job: text(row, "job"),
          first: integer(row, "first"),
          last: integer(row, "last"),
          count: integer(row, "count"),
        })),
    plan: async (job, until, missed) =>
      database.forced(() => planRun(database, { job, until, missed, now: clock() })),
    ofRun: async ({ job, scheduled }) =>
      eventsOf(
        database.all(
          "SELECT * FROM job_events WHERE job = ? AND run = ? AND run IS NOT NULL ORDER BY at, key",
          job,
          scheduled,
        ),
      ),
    seen: async (place) => {
      const rows = database.all("SELECT name, stamp FROM job_places WHERE place = ?", place);
      if (rows.length === 0) return null;
      return new Map(
        rows.flatMap((row) => {
          const name = text(row, "name");
          return name === "" ? [] : [[name, text(row, "stamp")] as const];
        }),
      );
    },
    keepPlaces: async (places) => {
      const others = "place NOT IN (SELECT value FROM json_each(?))";
      const all = JSON.stringify(places);
      if (database.get(`SELECT 1 FROM job_places WHERE ${others} LIMIT 1`, all) === undefined) return;
      database.transaction("unforced", () => database.run(`DELETE FROM job_places WHERE ${others}`, all));
    },
  };
}

/** Saves an event as a row, or counts it if many wait already. */
function keepEvent(database: Database, { job, key, name, subject, at, chain }: JobEvent): void {
  if (database.get("SELECT 1 FROM jobs WHERE name = ?", job) === undefined) return;
  if (database.get("SELECT 1 FROM job_events WHERE job = ? AND key = ?", job, key) !== undefined) return;
  const listed = database.get("SELECT count(*) AS count FROM job_events WHERE job = ? AND run IS NULL", job);
  const isMore = listed !== undefined && integer(listed, "count") >= mostListed;
  const more = "job = ? AND run IS NULL AND key GLOB 'more/*'";
  if (
    isMore &&
    database.run(`UPDATE job_events SET count = count + 1, at = max(at, ?) WHERE ${more}`, at, job) > 0
  )
    return;
  database.run(
    "INSERT INTO job_events (job, key, name, subject, at, count, chain) VALUES (?, ?, ?, ?, ?, 1, ?)",
    job,
    isMore ? `more/${key}` : key,
    name,
    isMore ? "" : subject,
    at,
    JSON.stringify(chain),
  );
}

function keepSeen(database: Database, { place, changed, gone }: SeenPlace): void {
  for (const name of gone) database.run("DELETE FROM job_places WHERE place = ? AND name = ?", place, name);
  for (const [name, stamp] of [["", ""] as const, ...changed])
    database.run(
      "INSERT OR REPLACE INTO job_places (place, name, stamp) VALUES (?, ?, ?)",
      place,
      name,
      stamp,
    );
}

type EventRun = {
  readonly job: string;
  readonly until: number;
  readonly missed: string | null;
  readonly now: number;
};

function planRun(database: Database, { job, until, missed, now }: EventRun): void {
  const row = database.get(
    `SELECT sum(count) AS count, (SELECT max(scheduled) FROM job_runs WHERE job = ?1) AS last
     FROM job_events WHERE job = ?1 AND run IS NULL AND at <= ?2 HAVING count > 0`,
    job,
    until,
  );
  if (row === undefined) return;
  const last = row["last"];
  const scheduled = betweenInstants(typeof last === "number" ? Math.max(now, last + 1) : now);
  database.run(
    "UPDATE job_events SET run = ? WHERE job = ? AND run IS NULL AND at <= ?",
    scheduled,
    job,
    until,
  );
  database.run(
    `INSERT INTO job_runs (job, scheduled, until, count, state, reason, fence, attempt, not_before, ended, asks_model)
     VALUES (?1, ?2, ?2, ?3, ?4, ?5, 0, 0, 0, ?6, ${asksModel})`,
    job,
    scheduled,
    integer(row, "count"),
    missed === null ? "queued" : "missed",
    missed ?? "",
    missed === null ? null : now,
  );
  forgetOldRuns(database, job, now);
}

/**
 * Forgets the runs of a job that ended long ago, with their events. Nothing is lost to a clock that shows
 * the future for a while.
 */
export function forgetOldRuns(database: Database, job: string, now: number): void {
  const before = Math.min(now, timeForDeleting(database, now)) - kept;
  database.run("DELETE FROM job_events WHERE job = ? AND run < ?", job, before);
  database.run(
    "DELETE FROM job_runs WHERE job = ?1 AND scheduled < ?2 AND until < ?2 AND ended IS NOT NULL",
    job,
    before,
  );
}

/** A time for a run that no schedule names: instants of a schedule are whole seconds. */
export function betweenInstants(at: number): number {
  return at % 1000 === 0 ? at + 1 : at;
}

function eventsOf(rows: readonly Row[]): RunEvents {
  const [listed, more] = [rows.filter(isListed), rows.filter((row) => !isListed(row))];
  return {
    listed: listed.map((row) => ({ name: oneOf(row, "name", eventNames), subject: text(row, "subject") })),
    more: more.reduce((sum, row) => sum + integer(row, "count"), 0),
    chain: [...new Set(rows.flatMap((row) => json<readonly string[]>(row, "chain")))],
  };
}

function isListed(row: Row): boolean {
  return !text(row, "key").startsWith("more/");
}
