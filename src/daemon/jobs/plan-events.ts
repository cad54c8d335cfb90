import type { WaitingEvents } from "../../memory/state/job-events.ts";
import type { KeptJob } from "../../signal/jobs/job.ts";

/** The plan for waiting events: wait, at most until a time, or become a run, which may be missed for a reason. */
export type EventPlan =
  | { readonly kind: "wait"; readonly until: number | null }
  | { readonly kind: "run"; readonly missed: string | null };

/** Milliseconds without a further event after which waiting events become a run; an editor saves several times. */
const quiet = 2000;
/** Milliseconds after the first event in which the run begins, however many follow. */
const longest = 30_000;
/** Milliseconds between the beginnings of two runs that ask a model. */
const pace = 60_000;

/** Plans the waiting events of a job. Pure. A clock that is set back delays nothing. */
export function planEvents(
  job: Pick<KeptJob, "grace" | "paused" | "work">,
  { first, last }: Pick<WaitingEvents, "first" | "last">,
  {
    now,
    isBusy,
    lastBegun,
  }: { readonly now: number; readonly isBusy: boolean; readonly lastBegun: number | null },
): EventPlan {
  if (job.paused || isBusy) return { kind: "wait", until: null };
  if (now - last > job.grace) return { kind: "run", missed: missedBecauseLate };
  const asksModel = job.work.kind === "words" && job.work.tier !== "reflex";
  const settled = Math.min(last + quiet, first + longest);
  const paced = asksModel && lastBegun !== null && lastBegun <= now ? lastBegun + pace : settled;
  const until = Math.max(settled, paced);
  return until > now && first <= now ? { kind: "wait", until } : { kind: "run", missed: null };
}

/** Why events that came while nothing could run get no run. */
const missedBecauseLate = "The agent did not run then, and the grace of the job was over when it did.";
/** Why events that came while their job was paused get no run. */
export const missedBecausePaused = "The job was paused.";
