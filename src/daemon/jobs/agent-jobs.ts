import type { Jobs } from "../../memory/state/jobs.ts";
import type { Clock } from "../../signal/clock.ts";
import { describeError } from "../../signal/describe-error.ts";
import type { Job, KeptJob } from "../../signal/job.ts";
import { canonicalJson } from "../../signal/json.ts";
import { JobScheduler, type JobSchedulerParts } from "./job-scheduler.ts";
import { Tellings, type TellingsParts } from "./tellings.ts";
import { Upkeep, type UpkeepJob } from "./upkeep-jobs.ts";

/** What the jobs of an agent need. */
export type AgentJobsParts = {
  readonly jobs: Jobs;
  readonly upkeep: readonly UpkeepJob[];
  readonly run: JobSchedulerParts["run"];
  readonly tell: TellingsParts["tell"];
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** The jobs of an agent: its own upkeep, and what has a schedule. */
export type AgentJobs = {
  /** Keeps the definitions of the upkeep, takes back what a former process began, and runs what is due from now on. Only the daemon does that. */
  readonly start: () => Promise<void>;
  /** Does what is due. */
  readonly beat: () => Promise<void>;
  /** Runs a job now, and says what came of it or that it was begun; null where there is none of that name. */
  readonly runNow: (name: string) => Promise<string | null>;
  /** Keeps a job that begins now. One that is known goes on from its place. */
  readonly keep: (job: Job) => Promise<void>;
  readonly resume: (name: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/** Runs that go on at the same time. */
const atOnce = 4;
/** Milliseconds for which a timer is set at most: a heartbeat sets it again. */
const longestTimer = 3_600_000;

/** Opens the jobs of an agent. Nothing runs before the start. */
export function openAgentJobs(parts: AgentJobsParts): AgentJobs {
  const { jobs, upkeep: all, run, clock, report } = parts;
  const upkeep = new Upkeep({ jobs, all, report });
  const scheduler = new JobScheduler({ jobs, clock, zone: machineZone, run, atOnce, report });
  const tellings = new Tellings(parts);
  const now = { isStarted: false, timer: null as NodeJS.Timeout | null };
  const work = async (): Promise<void> => {
    await scheduler.tick();
    await tellings.go();
    await arm();
  };
  /** Something may be due before the next heartbeat. */
  const arm = async (): Promise<void> => {
    if (now.timer !== null) clearTimeout(now.timer);
    now.timer = null;
    const next = await scheduler.nextDue();
    if (next === null || next - clock() > longestTimer) return;
    const wake = (): void =>
      void work().catch((error: unknown) =>
        report(`The jobs could not be looked at: ${describeError(error)}`),
      );
    now.timer = setTimeout(wake, Math.max(1000, next - clock())).unref();
  };
  return {
    async start() {
      await upkeep.start();
      await scheduler.start();
      now.isStarted = true;
      await work();
    },
    async beat() {
      await upkeep.beat();
      await work();
    },
    async runNow(name) {
      const own = await upkeep.run(name);
      const job = await jobs.get(name);
      if (own !== null || job === null) return own;
      if (job.paused)
        return `${name} is paused, and was not begun. passepartout jobs resume ${name} lets it go on.`;
      await jobs.runs.enqueue(name);
      if (!now.isStarted) return `${name} runs as soon as the daemon does: passepartout daemon`;
      await work();
      return `${name} was begun. passepartout jobs log ${name} shows what comes of it.`;
    },
    async keep(job) {
      const known = await jobs.get(job.name);
      await jobs.keep(job, await scheduler.placeFrom(job, beginningOf(job, known, clock())));
      if (now.isStarted) await arm();
    },
    resume: (name) => scheduler.resume(name),
    async stop() {
      if (now.timer !== null) clearTimeout(now.timer);
      tellings.stop();
      await scheduler.stop();
    },
  };
}

/** From when on a job has instants: a new schedule begins now, and one that stays goes on. */
function beginningOf({ trigger }: Job, known: KeptJob | null, now: number): number {
  if (known === null) return now;
  return canonicalJson(known.trigger) === canonicalJson(trigger) ? known.last : Math.max(known.last, now);
}

function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
