import type { Job, KeptJob } from "../../signal/jobs/job.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, integerOrNull, json, type Row, text } from "../storage/rows.ts";
import { takeBackFuture } from "./future-clock.ts";
import { type JobEvents, openJobEvents } from "./job-events.ts";
import { type JobRuns, openJobRuns } from "./job-runs.ts";

/** Where a job stands in its schedule. */
export type JobPlace = Pick<KeptJob, "last" | "next" | "zone">;

/** The jobs and their runs. Each promise resolves once what it says is kept. */
export type Jobs = {
  /** By name. */
  readonly all: () => Promise<readonly KeptJob[]>;
  readonly get: (name: string) => Promise<KeptJob | null>;
  /** The job whose turns run in a session; null for any other session. */
  readonly ofSession: (session: string) => Promise<KeptJob | null>;
  /** Keeps a job. One that is known keeps its runs, its pause and, where no place is given, its place. */
  readonly keep: (job: Job, place?: JobPlace) => Promise<void>;
  /** Forgets a job: what waits of it is missed. Its runs are kept under another name. False where there is none. */
  readonly remove: (name: string) => Promise<boolean>;
  /** Pauses a job, or lets it go on; false where there is none, or nothing changes. */
  readonly setPaused: (name: string, paused: boolean) => Promise<boolean>;
  /** Moves the next instant of a job whose zone changed. */
  readonly move: (name: string, place: JobPlace) => Promise<void>;
  /**
   * Takes back what was decided of jobs while a clock was ahead by more than a day, so that it is decided
   * again. Gives their names.
   */
  readonly takeBackFuture: (now: number) => Promise<readonly string[]>;
  /** At most so many jobs with an instant that is due and not planned, the most urgent first. */
  readonly due: (now: number, most: number) => Promise<readonly KeptJob[]>;
  /** The next instant of all jobs that are not paused; null where none comes. */
  readonly nextInstant: () => Promise<number | null>;
  readonly runs: JobRuns;
  readonly events: JobEvents;
};

/** The tables of jobs and runs. `next` stands beside the body, since it is looked up at each heartbeat. */
export const jobTables = `
CREATE TABLE IF NOT EXISTS jobs (
  name TEXT PRIMARY KEY, last INTEGER NOT NULL, next INTEGER, zone TEXT NOT NULL, paused INTEGER NOT NULL, body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS jobs_due ON jobs (next) WHERE paused = 0 AND next IS NOT NULL;
CREATE TABLE IF NOT EXISTS job_runs (
  job TEXT NOT NULL, scheduled INTEGER NOT NULL, until INTEGER NOT NULL, count INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
  fence INTEGER NOT NULL, attempt INTEGER NOT NULL, not_before INTEGER NOT NULL, started INTEGER, ended INTEGER,
  turn TEXT, told INTEGER NOT NULL DEFAULT 0, asks_model INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (job, scheduled)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS job_runs_open ON job_runs (asks_model, scheduled, job) WHERE state IN ('queued', 'running');
CREATE INDEX IF NOT EXISTS job_runs_busy ON job_runs (job) WHERE state IN ('queued', 'running');
CREATE INDEX IF NOT EXISTS job_runs_to_tell ON job_runs (ended) WHERE told = 0 AND state IN ('failed', 'put-off');
`;

/** The version of the bodies that are kept. */
const version = 1;
type KeptBody = { readonly version: number; readonly job: Job };

/** The jobs of a database. */
export function openJobs(database: Database, clock: Clock): Jobs {
  const get = (name: string): KeptJob | null => {
    const row = database.get("SELECT * FROM jobs WHERE name = ?", name);
    return row === undefined ? null : jobOf(row);
  };
  return {
    all: async () => database.all("SELECT * FROM jobs ORDER BY name").map(jobOf),
    get: async (name) => get(name),
    ofSession: async (session) => {
      const row = database.get("SELECT * FROM jobs WHERE body ->> '$.job.work.session' = ? LIMIT 1", session);
      return row === undefined ? null : jobOf(row);
    },
    keep: async (job, place) => {
      const { last, next, zone } = place ?? get(job.name) ?? { last: clock(), next: null, zone: "UTC" };
      await database.forced(() =>
        database.run(
          `INSERT INTO jobs (name, last, next, zone, paused, body) VALUES (?, ?, ?, ?, 0, ?)
           ON CONFLICT (name) DO UPDATE SET last = excluded.last, next = excluded.next, zone = excluded.zone, body = excluded.body`,
          job.name,
          last,
          next,
          zone,
          JSON.stringify({ version, job } satisfies KeptBody),
        ),
      );
    },
    remove: async (name) => database.forced(() => removeJob(database, name, clock())),
    setPaused: async (name, paused) =>
      database.forced(
        () =>
          database.run("UPDATE jobs SET paused = ?1 WHERE name = ?2 AND paused <> ?1", paused ? 1 : 0, name) >
          0,
      ),
    move: async (name, { last, next, zone }) => {
      await database.forced(() =>
        database.run("UPDATE jobs SET last = ?, next = ?, zone = ? WHERE name = ?", last, next, zone, name),
      );
    },
    takeBackFuture: async (now) => takeBackFuture(database, now),
    due: async (now, most) =>
      database
        .all(
          "SELECT * FROM jobs WHERE paused = 0 AND next IS NOT NULL AND next <= ? ORDER BY next LIMIT ?",
          now,
          most,
        )
        .map(jobOf),
    nextInstant: async () => {
      const row = database.get("SELECT min(next) AS next FROM jobs WHERE paused = 0 AND next IS NOT NULL");
      return row === undefined ? null : integerOrNull(row, "next");
    },
    runs: openJobRuns(database, clock),
    events: openJobEvents(database, clock),
  };
}

/** A later job of the same name is another one, so the runs keep a name of their own. */
function removeJob(database: Database, name: string, now: number): boolean {
  if (database.run("DELETE FROM jobs WHERE name = ?", name) === 0) return false;
  database.run("DELETE FROM job_events WHERE job = ?", name);
  database.run(
    "UPDATE job_runs SET state = 'missed', reason = 'The job was removed.', ended = ? WHERE job = ? AND state IN ('queued', 'running')",
    now,
    name,
  );
  database.run(
    "UPDATE job_runs SET job = ? WHERE job = ?",
    `${name} (removed ${new Date(now).toISOString()})`,
    name,
  );
  return true;
}

function jobOf(row: Row): KeptJob {
  const { job } = json<KeptBody>(row, "body");
  return {
    ...job,
    paused: integer(row, "paused") === 1,
    last: integer(row, "last"),
    next: integerOrNull(row, "next"),
    zone: text(row, "zone"),
  };
}
