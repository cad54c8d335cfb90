import { type FinalRunState, type JobRun, runStates } from "../../signal/jobs/job.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { integer, integerOrNull, oneOf, type Row, text, textOrNull } from "../storage/rows.ts";
import { asksModel, betweenInstants, forgetOldRuns } from "./job-events.ts";

/** The runs of instants of a job that became due. `missed` is null for a run that is to be done. */
export type PlannedRuns = {
  readonly job: string;
  /** The place of the job that the plan begins at. Where the job stands elsewhere by now, nothing is planned. */
  readonly from: number;
  readonly runs: readonly {
    readonly scheduled: number;
    readonly until: number;
    readonly count: number;
    readonly missed: string | null;
  }[];
  readonly last: number;
  readonly next: number | null;
  readonly zone: string;
};

/** The name of a run, and the beginning that its result belongs to. */
export type RunKey = Pick<JobRun, "job" | "scheduled" | "fence">;

/** What a run needs: a model, or this machine alone. */
export type RunKind = "asks-model" | "needs-none";

/** The runs of jobs. */
export type JobRuns = {
  /** Saves the plans, forced to disk. An instant gets a run only once. */
  readonly plan: (plans: readonly PlannedRuns[]) => Promise<void>;
  /** Queues a run that the owner wants now; false if a run of this millisecond exists. */
  readonly enqueue: (job: string) => Promise<boolean>;
  /** Begins at most `most` queued runs of a kind, the oldest first and one of each job, forced to disk. A run that was never begun is missed for the reason `late` once the grace of its job is over. */
  readonly begin: (kind: RunKind, most: number, late?: string) => Promise<readonly JobRun[]>;
  /** Ends a run; false, and nothing changes, if it was begun again since. */
  readonly end: (run: RunKey, state: FinalRunState, reason: string) => Promise<boolean>;
  /** Requeues a failed run, not before a time. */
  readonly retry: (run: RunKey, reason: string, notBefore: number) => Promise<boolean>;
  /** Requeues the runs that a former process began; a run that was begun too often has failed. */
  readonly requeueRunning: (mostBeginnings: number) => Promise<void>;
  /** Records something that a job did, failed or missed outside of its schedule. */
  readonly note: (run: Pick<JobRun, "job" | "state" | "reason">) => Promise<void>;
  /**
   * The runs that failed or were put off, or were done since a time (Unix milliseconds), and were not told
   * yet, the oldest first.
   */
  readonly untold: (doneSince: number) => Promise<readonly JobRun[]>;
  readonly markTold: (run: RunKey) => Promise<void>;
  /** Dismisses the missed runs of a job and those that were told; false if there are none. */
  readonly dismiss: (job: string) => Promise<boolean>;
  /** The previous run of the same job that was done, failed or was put off; null without one. */
  readonly endedBefore: (run: RunKey) => Promise<JobRun | null>;
  /** Records the turn that does a run. */
  readonly setTurn: (run: RunKey, turn: string) => Promise<void>;
  /** Whether a run of a job is queued or running. */
  readonly isBusy: (job: string) => Promise<boolean>;
  /** Unix milliseconds at which the next queued run may begin; null without one. */
  readonly nextBeginning: () => Promise<number | null>;
  /** The runs of one job or of all, the last ended first. */
  readonly list: (wanted: {
    readonly job?: string;
    readonly states?: readonly JobRun["state"][];
    /** Leaves out dismissed runs. */
    readonly undismissed?: boolean;
    readonly most: number;
  }) => Promise<readonly JobRun[]>;
};

/** Longest wait of a failed run, in milliseconds. A later time comes from a clock that was set back since. */
const longestWait = 3_600_000;

/** The run is queued or running. SQLite uses the index only with this exact condition. */
const isOpen = "state IN ('queued', 'running')";
/** The run is the next of a job that is not paused and has no running run. */
const isNext = `${isOpen} AND state = 'queued' AND job NOT IN (SELECT name FROM jobs WHERE paused = 1)
  AND NOT EXISTS (SELECT 1 FROM job_runs AS own WHERE own.job = job_runs.job AND own.${isOpen}
    AND (own.state = 'running' OR own.scheduled < job_runs.scheduled))`;
const mayBegin = `${isNext} AND (not_before <= ?1 OR not_before > ?1 + ${longestWait})`;

/** The run is of an instant, was never begun, and the grace of its job is over. */
const isLate = `(fence = 0 AND attempt = 0 AND scheduled % 1000 = 0
  AND scheduled + (SELECT body ->> '$.job.grace' FROM jobs WHERE name = job_runs.job) < ?1)`;

/** The runs of a database. */
export function openJobRuns(database: Database, clock: Clock): JobRuns {
  return {
    plan: async (plans) => {
      await database.forced(() => {
        for (const plan of plans) keepPlan(database, plan, clock());
      });
    },
    enqueue: async (job) =>
      database.forced(
        () =>
          database.run(
            `INSERT OR IGNORE INTO job_runs (job, scheduled, until, count, state, reason, fence, attempt, not_before, asks_model)
             VALUES (?1, ?2, ?2, 1, 'queued', '', 0, 0, 0, ${asksModel})`,
            job,
            betweenInstants(clock()),
          ) > 0,
      ),
    begin: async (kind, most, late) => beginRuns(database, { kind, most, late: late ?? null, now: clock() }),
    ...openBegunRuns(database, clock),
    requeueRunning: async (most) => requeueRunning(database, most, clock()),
    untold: async (doneSince) =>
      database
        .all(
          "SELECT * FROM job_runs WHERE told = 0 AND (state IN ('failed', 'put-off') OR (state = 'done' AND ended >= ?)) ORDER BY ended LIMIT 100",
          doneSince,
        )
        .map(runOf),
    endedBefore: async ({ job, scheduled }) => {
      const row = database.get(
        `SELECT * FROM job_runs WHERE job = ? AND scheduled < ? AND state IN ('done', 'failed', 'put-off') ORDER BY scheduled DESC LIMIT 1`,
        job,
        scheduled,
      );
      return row === undefined ? null : runOf(row);
    },
    isBusy: async (job) =>
      database.get(`SELECT 1 FROM job_runs WHERE job = ? AND ${isOpen} LIMIT 1`, job) !== undefined,
    nextBeginning: async () => {
      const row = database.get(`SELECT min(not_before) AS first FROM job_runs WHERE ${isNext}`);
      return row === undefined ? null : integerOrNull(row, "first");
    },
    list: async ({ job, states = runStates, undismissed = false, most }) =>
      database
        .all(
          `SELECT * FROM job_runs WHERE ${job === undefined ? "true" : "job = ?3"} AND state IN (SELECT value FROM json_each(?1)) ${undismissed ? "AND told < 2" : ""}
           ORDER BY coalesce(ended, started, scheduled) DESC, scheduled DESC LIMIT ?2`,
          JSON.stringify(states),
          most,
          ...(job === undefined ? [] : [job]),
        )
        .map(runOf),
  };
}

/** What changes one run. */
function openBegunRuns(
  database: Database,
  clock: Clock,
): Pick<JobRuns, "end" | "retry" | "note" | "markTold" | "dismiss" | "setTurn"> {
  const change = (sql: string, ...values: readonly (string | number)[]): boolean =>
    database.transaction("unforced", () => database.run(sql, ...values) > 0);
  return {
    end: async ({ job, scheduled, fence }, state, reason) =>
      change(
        "UPDATE job_runs SET state = ?, reason = ?, ended = ? WHERE job = ? AND scheduled = ? AND fence = ? AND state = 'running'",
        state,
        reason,
        clock(),
        job,
        scheduled,
        fence,
      ),
    retry: async ({ job, scheduled, fence }, reason, notBefore) =>
      change(
        `UPDATE job_runs SET state = 'queued', reason = ?, attempt = attempt + 1, not_before = ?
         WHERE job = ? AND scheduled = ? AND fence = ? AND state = 'running'`,
        reason,
        notBefore,
        job,
        scheduled,
        fence,
      ),
    note: async ({ job, state, reason }) => {
      const now = clock();
      const row = database.get("SELECT max(scheduled) AS last FROM job_runs WHERE job = ?", job);
      const last = row === undefined ? null : integerOrNull(row, "last");
      change(
        `INSERT INTO job_runs (job, scheduled, until, count, state, reason, fence, attempt, not_before, started, ended, told)
         VALUES (?1, ?2, ?2, 1, ?3, ?4, 1, 1, 0, ?5, ?5, 1)`,
        job,
        betweenInstants(last === null ? now : Math.max(now, last + 1)),
        state,
        reason,
        now,
      );
      forgetOldRuns(database, job, now);
    },
    markTold: async ({ job, scheduled }) => {
      change("UPDATE job_runs SET told = 1 WHERE job = ? AND scheduled = ? AND told = 0", job, scheduled);
    },
    dismiss: async (job) =>
      change(
        "UPDATE job_runs SET told = 2 WHERE job = ? AND told < 2 AND (state = 'missed' OR (state IN ('failed', 'put-off') AND told = 1))",
        job,
      ),
    setTurn: async ({ job, scheduled, fence }, turn) => {
      const sql = "UPDATE job_runs SET turn = ? WHERE job = ? AND scheduled = ? AND fence = ?";
      change(sql, turn, job, scheduled, fence);
    },
  };
}

async function requeueRunning(database: Database, most: number, now: number): Promise<void> {
  if (database.get(`SELECT 1 FROM job_runs WHERE ${isOpen} AND state = 'running' LIMIT 1`) === undefined)
    return;
  await database.forced(() => {
    database.run(
      "UPDATE job_runs SET state = 'failed', reason = ?, ended = ? WHERE state = 'running' AND fence >= ?",
      `The agent ended during this run, ${most} times. It is not begun again.`,
      now,
      most,
    );
    database.run("UPDATE job_runs SET state = 'queued' WHERE state = 'running'");
  });
}

function keepPlan(database: Database, plan: PlannedRuns, now: number): void {
  const { job, from, runs, last, next, zone } = plan;
  const moved = database.run(
    "UPDATE jobs SET last = ?, next = ?, zone = ? WHERE name = ? AND last = ?",
    last,
    next,
    zone,
    job,
    from,
  );
  if (moved === 0) return;
  for (const { scheduled, until, count, missed } of runs)
    database.run(
      // A run that stands there is the outcome of the instant.
      `INSERT OR IGNORE INTO job_runs (job, scheduled, until, count, state, reason, fence, attempt, not_before, ended, asks_model)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, 0, ?7, ${asksModel})`,
      job,
      scheduled,
      until,
      count,
      missed === null ? "queued" : "missed",
      missed ?? "",
      missed === null ? null : now,
    );
  forgetOldRuns(database, job, now);
}

type Beginning = {
  readonly kind: RunKind;
  readonly most: number;
  readonly late: string | null;
  readonly now: number;
};

async function beginRuns(
  database: Database,
  { kind, most, late, now }: Beginning,
): Promise<readonly JobRun[]> {
  const nextOnes = (): readonly Row[] =>
    database.all(
      `SELECT job, scheduled, ${isLate} AS late FROM job_runs WHERE ${mayBegin} AND asks_model = ?3 ORDER BY scheduled LIMIT ?2`,
      now,
      most,
      kind === "asks-model" ? 1 : 0,
    );
  let waiting = nextOnes();
  if (waiting.length === 0) return [];
  return database.forced(() => {
    for (; late !== null && waiting.some((row) => row["late"] === 1); waiting = nextOnes())
      for (const row of waiting)
        if (row["late"] === 1)
          database.run(
            "UPDATE job_runs SET state = 'missed', reason = ?, ended = ? WHERE job = ? AND scheduled = ?",
            late,
            now,
            ...keyOf(row),
          );
    return waiting.flatMap((row) => {
      database.run(
        "UPDATE job_runs SET state = 'running', fence = fence + 1, started = ? WHERE job = ? AND scheduled = ?",
        now,
        ...keyOf(row),
      );
      const begun = database.get("SELECT * FROM job_runs WHERE job = ? AND scheduled = ?", ...keyOf(row));
      return begun === undefined ? [] : [runOf(begun)];
    });
  });
}

function keyOf(row: Row): readonly [job: string, scheduled: number] {
  return [text(row, "job"), integer(row, "scheduled")];
}

function runOf(row: Row): JobRun {
  return {
    job: text(row, "job"),
    scheduled: integer(row, "scheduled"),
    until: integer(row, "until"),
    count: integer(row, "count"),
    state: oneOf(row, "state", runStates),
    reason: text(row, "reason"),
    fence: integer(row, "fence"),
    attempt: integer(row, "attempt"),
    startedAt: integerOrNull(row, "started"),
    endedAt: integerOrNull(row, "ended"),
    turn: textOrNull(row, "turn"),
  };
}
