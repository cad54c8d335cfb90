import type { Job } from "../../signal/jobs/job.ts";

/** Gives the first instant after another one, both in Unix milliseconds; null where none comes. */
export type NextInstant = (after: number) => number | null;

/** Instants that get a run, or are missed for a reason. */
export type PlannedRun = {
  readonly scheduled: number;
  readonly until: number;
  readonly count: number;
  /** Null for a run that is to be done. */
  readonly missed: string | null;
};

/** The runs of the instants that became due; each instant belongs to exactly one of them. */
export type RunPlan = {
  readonly runs: readonly PlannedRun[];
  readonly last: number;
  readonly next: number | null;
};

/** Why instants get no run. */
export const missedBecause = {
  late: "The agent did not run then, and the grace of the job was over when it did.",
  superseded: "A later run of the job stands for it.",
  overlap: "The run before still waited or went on.",
  paused: "The job was paused.",
  waited: "It waited until the grace of the job was over.",
} as const;

/** Instants that are planned at once, which takes milliseconds; more wait for the next plan. */
const mostInstants = 500;

/** Plans the runs of all instants of a job after `last` and up to now. Pure; a plan that is computed in pieces is the same as a whole one. */
export function planRuns(
  { catchUp, grace, overlap }: Pick<Job, "catchUp" | "grace" | "overlap">,
  {
    last,
    now,
    next,
    paused = false,
    isBusy,
  }: {
    readonly last: number;
    readonly now: number;
    readonly next: NextInstant;
    readonly paused?: boolean;
    /** Whether a run of the job is queued or running. */
    readonly isBusy: boolean;
  },
): RunPlan {
  const instants: number[] = [];
  let coming = next(last);
  while (coming !== null && coming <= now && instants.length < mostInstants) {
    instants.push(coming);
    coming = next(coming);
  }
  const more = coming !== null && coming <= now;
  const latest = more ? coming : instants.at(-1);
  const reasonFor = (instant: number): string | null => {
    if (paused) return missedBecause.paused;
    if (now - instant > grace) return missedBecause.late;
    if (isBusy && overlap === "skip") return missedBecause.overlap;
    return catchUp === "all" || instant === latest ? null : missedBecause.superseded;
  };
  return {
    runs: joinMissed(
      instants.map((instant) => ({
        scheduled: instant,
        until: instant,
        count: 1,
        missed: reasonFor(instant),
      })),
    ),
    last: instants.at(-1) ?? last,
    next: coming,
  };
}

/** Joins consecutive instants that are missed for the same reason. */
export function joinMissed(planned: readonly PlannedRun[]): readonly PlannedRun[] {
  const runs: PlannedRun[] = [];
  for (const run of planned) {
    const before = runs.at(-1);
    if (before !== undefined && run.missed !== null && before.missed === run.missed)
      runs[runs.length - 1] = { ...before, until: run.until, count: before.count + run.count };
    else runs.push(run);
  }
  return runs;
}
