import type { Jobs } from "../../memory/state/jobs.ts";
import type { Clock } from "../../signal/clock.ts";
import { JobScheduler, type JobSchedulerParts } from "./job-scheduler.ts";
import { Upkeep, type UpkeepJob } from "./upkeep-jobs.ts";

/** What the jobs of an agent need. */
export type AgentJobsParts = {
  readonly jobs: Jobs;
  readonly upkeep: readonly UpkeepJob[];
  readonly run: JobSchedulerParts["run"];
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** The jobs of an agent: its own upkeep, and what has a schedule. */
export type AgentJobs = {
  /** Keeps the definitions of the upkeep, and takes back what a former process began. Only the daemon does that. */
  readonly start: () => Promise<void>;
  /** Does what is due. */
  readonly beat: () => Promise<void>;
  /** Runs a job now, and says what came of it or that it was begun; null where there is none of that name. */
  readonly runNow: (name: string) => Promise<string | null>;
  readonly resume: (name: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/** Runs that go on at the same time. */
const atOnce = 4;

/** Opens the jobs of an agent. Nothing runs before the first beat. */
export function openAgentJobs({ jobs, upkeep: all, run, clock, report }: AgentJobsParts): AgentJobs {
  const upkeep = new Upkeep({ jobs, all, report });
  const scheduler = new JobScheduler({ jobs, clock, zone: machineZone, run, atOnce, report });
  return {
    async start() {
      await upkeep.start();
      await scheduler.start();
    },
    async beat() {
      await upkeep.beat();
      await scheduler.tick();
    },
    runNow: (name) => upkeep.run(name),
    resume: (name) => scheduler.resume(name),
    stop: () => scheduler.stop(),
  };
}

function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
