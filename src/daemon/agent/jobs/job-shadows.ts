import type { JobRun, JobWork, KeptJob } from "../../../signal/jobs/job.ts";
import {
  afterRun,
  isInShadow,
  isNew,
  isProved,
  type JudgedAhead,
  type ShadowSettings,
  whyNotCounted,
} from "../../../signal/jobs/job-shadow.ts";
import { printCallLines } from "../../../text/call-line.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { RunResult } from "../../jobs/job-scheduler.ts";
import { actsOfTurn } from "./acts-of-turn.ts";
import type { JobShadowParts, Words } from "./offer-reflex.ts";

/** Watches the runs of jobs, and offers a job as a reflex after enough equal runs and trials in which the rule would have done the same. */
export type JobShadows = {
  /** Judges the rule before a run begins, which delays the run for seconds at most. */
  readonly before: (job: KeptJob, run: JobRun, cancel: AbortSignal) => Promise<void>;
  /** Counts a run; says why it counts neither for nor against the rule, null if it counts. Idempotent. */
  readonly after: (job: KeptJob, run: JobRun, came: RunResult | null) => Promise<string | null>;
  /** Applies what the owner accepted or undid. */
  readonly settle: () => Promise<void>;
  readonly forget: (job: string) => Promise<void>;
};

/** Milliseconds that a run waits for the verdict on its rule. */
const usualPatience = 5000;

export function openJobShadows(parts: JobShadowParts, patience = usualPatience): JobShadows {
  const { jobShadows } = parts.state;
  const { reflex: settings } = parts.policy.config;
  return {
    async before(job, run, cancel) {
      const { work, name } = job;
      const kept = await jobShadows.get(name);
      if (!isWatched(work, settings) || kept === null || kept.offer !== null) return;
      const { shadow } = kept;
      if (shadow === null || shadow.digest !== work.digest || !isInShadow(shadow, settings)) return;
      if (shadow.last === run.scheduled || shadow.trial?.scheduled === run.scheduled) return;
      const trying = parts.judgeAhead(printCallLines(shadow.acts), { ...work, label: shadow.label });
      const ahead = await inTime(trying, AbortSignal.any([cancel, AbortSignal.timeout(patience)]));
      await jobShadows.set(name, {
        ...kept,
        shadow: { ...shadow, trial: { scheduled: run.scheduled, ahead } },
      });
    },
    async after(job, run, came) {
      const { work, name } = job;
      if (!isWatched(work, settings)) return null;
      const kept = await jobShadows.get(name);
      const did = came?.state === "done" ? await didIn(parts, work, run) : null;
      const about = { scheduled: run.scheduled, digest: work.digest, did };
      const shadow = afterRun(kept?.shadow ?? null, about, settings);
      const offer = shadow !== null && !isNew(shadow) ? (kept?.offer ?? null) : null;
      if (kept !== null && kept.offer !== null && offer === null) await withdraw(parts, name);
      if (kept?.shadow !== shadow || kept?.offer !== offer)
        await jobShadows.set(name, shadow === null ? null : { shadow, offer });
      if (shadow !== null && did !== null && isProved(shadow, settings))
        await (await import("./offer-reflex.ts")).offerReflex(parts, { job, shadow, offer });
      return whyNotCounted(shadow, run.scheduled);
    },
    async settle() {
      for (const name of await jobShadows.offered())
        await settle(parts, name).catch((error: unknown) =>
          parts.report(`The job ${name} could not follow what you decided: ${describeError(error)}`),
        );
    },
    forget: async (name) => {
      await jobShadows.set(name, null);
      await withdraw(parts, name);
    },
  };
}

/** The verdict, or `unknown` if judging fails or takes too long. */
async function inTime(trying: Promise<JudgedAhead>, until: AbortSignal): Promise<JudgedAhead> {
  const late = Promise.withResolvers<JudgedAhead>();
  const giveUp = (): void =>
    late.resolve({ decision: "unknown", reason: "the judge did not answer in time." });
  until.addEventListener("abort", giveUp, { once: true });
  if (until.aborted) giveUp();
  try {
    return await Promise.race([trying, late.promise]);
  } catch (error) {
    return { decision: "unknown", reason: describeError(error) };
  } finally {
    until.removeEventListener("abort", giveUp);
  }
}

/** Whether a job is the owner's own and asks a model. */
function isWatched(work: JobWork, { after }: ShadowSettings): work is Words {
  return after > 0 && work.kind === "words" && work.tier !== "reflex" && work.skill === undefined;
}

async function didIn({ state }: JobShadowParts, work: Words, { job, scheduled }: JobRun) {
  const runs = await state.jobs.runs.list({ job, states: ["running"], most: 10 });
  const id = runs.find((run) => run.scheduled === scheduled)?.turn ?? null;
  const turn = id === null ? null : await state.turns.get(id);
  const did = turn === null ? null : actsOfTurn(turn);
  return did === null ? null : { ...did, answer: work.answer === "unread" ? null : did.answer };
}

/** Loads the code for offers, which few processes need. */
async function settle(parts: JobShadowParts, job: string): Promise<void> {
  await (await import("./offer-reflex.ts")).settleReflex(parts, job);
}

async function withdraw(parts: JobShadowParts, job: string): Promise<void> {
  await (await import("./offer-reflex.ts")).withdrawReflex(parts, job);
}
