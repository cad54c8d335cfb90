import type { JobRun, KeptJob } from "../../../signal/jobs/job.ts";
import type { StandingJob } from "../../../signal/jobs/standing-job.ts";
import { joinLabels } from "../../../signal/label.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import { type AgentJobs, openAgentJobs } from "../../jobs/agent-jobs.ts";
import { openBeats } from "../../jobs/beats.ts";
import type { RunResult } from "../../jobs/job-scheduler.ts";
import { standingJobs } from "../../jobs/standing-jobs.ts";
import { sessionNameOf } from "../resources/cap-of-job.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";
import { upkeepOf } from "../upkeep/upkeep-of-agent.ts";
import { listenForJobs, makeEventPorts } from "./event-ports.ts";
import type { Dismissing, JudgeAhead, Reflexes } from "./job-ports.ts";
import { type JobShadows, openJobShadows } from "./job-shadows.ts";
import { labelOfEntry } from "./jobs-file.ts";
import { runJobTurn } from "./run-job-turn.ts";
import { makeSecrecyOfEvents } from "./secrecy-of-events.ts";
import { tellRun } from "./tell-run.ts";

/** The jobs of an agent, with what its commands and its review inbox need of them. */
export type OwnAgentJobs = AgentJobs & Dismissing & Reflexes & { readonly standing: readonly StandingJob[] };

/** Opens the jobs of this agent. `loopOf` gives the loop, which is built after them. */
export function openOwnJobs(resources: LoopResources, review: ReviewInbox, loopOf: () => Loop): OwnAgentJobs {
  const { state, clock, report, untold } = resources;
  // The entries about a job leave the inbox once a run succeeds.
  const forget = (name: string) => review.withdraw(sessionNameOf(name), []);
  const jobs = openAgentJobs({
    events: makeEventPorts(resources),
    jobs: state.jobs,
    clock,
    report,
    run: (job, run, cancel) => runOwnJob({ resources, review, shadows, loopOf }, { job, run }, cancel),
    tell: (run) => tellRun({ state, review, report, untold }, run),
    upkeep: upkeepOf(resources, review, loopOf),
  });
  const judging: { by: JudgeAhead | null } = { by: null };
  const shadows = openJobShadows({
    ...resources,
    review,
    keep: jobs.keep,
    judgeAhead: async (lines, where) =>
      judging.by === null ? { decision: "unknown", reason: "Nothing judges yet." } : judging.by(lines, where),
  });
  const beats = openBeats(
    () => resources.policy.config.heartbeatInterval,
    clock,
    async () => {
      await shadows.settle();
      await jobs.beat();
    },
  );
  const lastSaved = async () => (await state.sessions.list(1))[0]?.usedAt ?? null;
  return {
    ...jobs,
    standing: standingJobs(beats, lastSaved),
    settleReflexes: shadows.settle,
    judgeBy(judgeAhead) {
      judging.by = judgeAhead;
    },
    beat: beats.beat,
    async remove(name) {
      await shadows.forget(name);
      await jobs.remove(name);
      await forget(name);
    },
    async dismiss(name) {
      const [runs, told] = [await state.jobs.runs.dismiss(name), await forget(name)];
      return runs || told > 0;
    },
    async start() {
      loopOf().subscribe(listenForJobs(resources, jobs));
      await shadows.settle();
      await jobs.start();
      beats.start();
    },
  };
}

type RunParts = {
  readonly resources: LoopResources;
  readonly review: ReviewInbox;
  readonly shadows: JobShadows;
  readonly loopOf: () => Loop;
};

/** Runs the present version of a job, and counts what it did. */
async function runOwnJob(
  { resources, review, shadows, loopOf }: RunParts,
  { job: planned, run }: { readonly job: KeptJob; readonly run: JobRun },
  cancel: AbortSignal,
): Promise<RunResult> {
  const { state, clock, skills, notes, policy } = resources;
  await shadows.settle();
  const job = (await state.jobs.get(planned.name)) ?? planned;
  await skills.refresh();
  const { wordsOfJob } = await import("./words-of-job.ts");
  const words = wordsOfJob(job, skills.inForce(), policy.config.privacyTags);
  if ("problem" in words) return { state: "missed", reason: words.problem };
  const secrecyOf = makeSecrecyOfEvents({
    notes: notes.place,
    labelOfAttached: (path) => notes.labelOfAttached([path]),
    originsOf: state.origins.of,
    privacyTags: policy.config.privacyTags,
  });
  const { report } = resources;
  await aside(report, job, () => shadows.before(job, run, cancel));
  const parts = { state, loop: loopOf(), clock, secrecyOf };
  const label = joinLabels(words.label, await labelOfEntry(resources, job.name));
  const came = await runJobTurn(parts, { job, run, label }, cancel).catch(async (error: unknown) => {
    await aside(report, job, () => shadows.after(job, run, null));
    throw error;
  });
  // The next process continues the run, and counts it.
  if (isClosing(cancel)) return came;
  const uncounted = await aside(report, job, () => shadows.after(job, run, came));
  await aside(report, job, async () => {
    if (came.state === "done" && (await state.jobs.runs.endedBefore(run))?.state !== "done")
      await review.withdraw(sessionNameOf(job.name), []);
  });
  return uncounted === null ? came : { ...came, reason: `${came.reason} (${uncounted})`.trim() };
}

/** Does work that accompanies a run. A failure is reported and changes neither the run nor its result. */
async function aside<T>(
  report: LoopResources["report"],
  { name }: KeptJob,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    report(`The job ${name} ran, and counting or reporting it failed: ${describeError(error)}`);
    return null;
  }
}

function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.message === "closing";
}
