import type { Jobs } from "../../memory/state/jobs.ts";
import type { Job, KeptJob } from "../../signal/jobs/job.ts";
import type { Clock } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import { canonicalJson } from "../../text/json.ts";
import { EventSources, type EventSourcesParts } from "./event-sources.ts";
import { JobScheduler, type JobSchedulerParts } from "./job-scheduler.ts";
import { machineZone } from "./machine-zone.ts";
import { RunReports, type RunReportsParts } from "./run-reports.ts";
import { Upkeep, type UpkeepJob } from "./upkeep-jobs.ts";

/** What the jobs of an agent need. */
export type AgentJobsParts = {
  readonly jobs: Jobs;
  readonly upkeep: readonly UpkeepJob[];
  readonly run: JobSchedulerParts["run"];
  readonly tell: RunReportsParts["tell"];
  /** What jobs may wait for besides instants. */
  readonly events: Pick<EventSourcesParts, "placesOf" | "chainOf" | "ranCommand" | "factsSince" | "isDue">;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** The result of running a job at the owner's request. `ok`: it was done, or begun. */
export type RunNowResult = { readonly ok: boolean; readonly text: string };

/** The jobs of an agent: its own upkeep, and what has a schedule. */
export type AgentJobs = {
  /** Saves the definitions of the upkeep, requeues the runs of a former process, and runs what is due from now on. Only the daemon does that. */
  readonly start: () => Promise<void>;
  /** Does what is due. */
  readonly beat: () => Promise<void>;
  /** Runs a job now; null if there is no job of this name. */
  readonly runNow: (name: string) => Promise<RunNowResult | null>;
  /** Saves a job. Its schedule begins now; a known job keeps its place in an unchanged schedule. */
  readonly keep: (job: Job) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly resume: (name: string) => Promise<boolean>;
  /** Handles an event that is on disk and that jobs may wait for. */
  readonly happened: EventSources["happened"];
  /** Whether some job waits for an event of this name. */
  readonly wants: EventSources["wants"];
  readonly stop: () => Promise<void>;
};

/** Concurrent runs that ask a model, and concurrent runs that ask none. */
const atOnce = 4;
/** Longest timer, in milliseconds: a heartbeat sets it again. */
const longestTimer = 3_600_000;

/** Opens the jobs of an agent. Nothing runs before `start`. */
export function openAgentJobs(parts: AgentJobsParts): AgentJobs {
  const { jobs, upkeep: all, clock, report } = parts;
  const upkeep = new Upkeep({ jobs, all, report });
  const timer = new WorkTimer(clock, () => workSoon());
  const workSoon = (): void => {
    if (timer.isStarted) work().catch((error: unknown) => report(describeWorkFault(error)));
  };
  const sources = new EventSources({ ...parts.events, jobs, clock, report, queued: workSoon });
  const scheduler = new JobScheduler({
    jobs,
    clock,
    zone: machineZone,
    run: (job, run, cancel) => sources.around(run, () => parts.run(job, run, cancel)),
    atOnce,
    report,
    ended: workSoon,
  });
  const runReports = new RunReports({ ...parts, failed: (run) => sources.failed(run) });
  const work = async (): Promise<void> => {
    await scheduler.tick();
    await runReports.sendUntold();
    timer.arm(await scheduler.nextDue());
  };
  return {
    async start() {
      await upkeep.start();
      await scheduler.start();
      timer.isStarted = true;
      await sources.start();
      await work();
    },
    async beat() {
      await upkeep.beat();
      await sources.beat();
      await work();
    },
    runNow: (name) => runNow({ jobs, upkeep, work, isStarted: () => timer.isStarted }, name),
    async keep(job) {
      const known = await jobs.get(job.name);
      const place = await scheduler.placeFrom(job, beginningOf(job, known, clock()));
      await jobs.keep(withBeginningOfHooks(job, known), place);
      await sources.refresh();
      timer.arm(await scheduler.nextDue());
    },
    async remove(name) {
      await jobs.remove(name);
      await sources.refresh();
    },
    happened: (fact) => sources.happened(fact),
    wants: (name) => sources.wants(name),
    resume: (name) => scheduler.resume(name),
    async stop() {
      timer.stop();
      runReports.stop();
      await scheduler.stop();
      await sources.stop();
    },
  };
}

function describeWorkFault(error: unknown): string {
  return `The jobs that are due could not be run: ${describeError(error)}`;
}

type RunNowParts = {
  readonly jobs: Jobs;
  readonly upkeep: Upkeep;
  readonly work: () => Promise<void>;
  readonly isStarted: () => boolean;
};

async function runNow(
  { jobs, upkeep, work, isStarted }: RunNowParts,
  name: string,
): Promise<RunNowResult | null> {
  const own = await upkeep.run(name);
  const job = await jobs.get(name);
  if (own !== null || job === null) return own;
  if (job.paused)
    return {
      ok: false,
      text: `${name} is paused, and was not begun. passepartout jobs resume ${name} lets it go on.`,
    };
  await jobs.runs.enqueue(name);
  if (!isStarted()) return { ok: true, text: `${name} runs as soon as the daemon does: passepartout daemon` };
  await work();
  return { ok: true, text: `${name} was begun. passepartout jobs log ${name} shows its result.` };
}

/** Calls back when something is due before the next heartbeat. */
class WorkTimer {
  isStarted = false;
  readonly #clock: Clock;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock, work: () => void) {
    this.#clock = clock;
    this.#work = work;
  }

  arm(next: number | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const wait = next === null ? longestTimer + 1 : next - this.#clock();
    if (this.isStarted && wait <= longestTimer)
      this.#timer = setTimeout(this.#work, Math.max(1000, wait)).unref();
  }

  stop(): void {
    this.isStarted = false;
    this.arm(null);
  }
}

/** The time after which a job has instants: now for a new schedule, its last instant for an unchanged one. */
function beginningOf({ trigger }: Job, known: KeptJob | null, now: number): number {
  if (known === null) return now;
  return canonicalJson(known.trigger) === canonicalJson(trigger) ? known.last : Math.max(known.last, now);
}

/** Unchanged hooks count from their first approval, so that no event in between is lost. */
function withBeginningOfHooks(job: Job, known: KeptJob | null): Job {
  const before = known?.hooks;
  if (before === undefined || job.hooks === undefined) return job;
  if (canonicalJson(before.on) !== canonicalJson(job.hooks.on)) return job;
  return { ...job, hooks: { ...job.hooks, since: before.since } };
}
