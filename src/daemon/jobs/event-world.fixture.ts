import assert from "node:assert/strict";
import { join } from "node:path";
import type { Job, JobRun } from "../../signal/jobs/job.ts";
import { type EventFact, type Hook, readHooks } from "../../signal/jobs/job-event.ts";
import { type AgentJobs, openAgentJobs } from "./agent-jobs.ts";
import { noEvents, openSimulatedJobs, simulatedJob } from "./simulated-jobs.fixture.ts";
import type { Place } from "./watched-places.ts";

const begin = Date.parse("2026-05-05T12:00:00Z");
export const minute = 60_000;

function hooksOf(words: string): readonly Hook[] {
  const hooks = readHooks(words);
  assert.ok(typeof hooks !== "string", String(hooks));
  return hooks;
}

export function jobOf(name: string, hooks: string, changes: Partial<Job> = {}): Job {
  return {
    ...simulatedJob(0, true),
    name,
    trigger: { kind: "events" },
    hooks: { on: hooksOf(hooks), since: begin },
    work: {
      kind: "words",
      tier: "reflex",
      text: "run make",
      session: name,
      digest: "",
      workspace: "/garden",
      steps: [],
      spendingCap: null,
    },
    grace: 10 * minute,
    overlap: "wait",
    ...changes,
  };
}

/** The world outside of the processes: the clock, a folder, and what runs did. */
export class World {
  now = begin;
  readonly files = new Map<string, string>();
  readonly ran: { readonly job: string; readonly events: readonly string[]; readonly more: number }[] = [];
  readonly reports: string[] = [];
  /** What a run does besides being counted. */
  act: (run: JobRun) => void = () => undefined;
  /** Runs whose work does more than change files by tools. */
  commands = true;
  chainOf: (file: string) => readonly string[] | null = () => null;
  past: readonly EventFact[] = [];
  /** Jobs whose own condition does not hold. */
  readonly idle = new Set<string>();
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, "jobs.db");
  }

  /** One process; `kill` ends it without a word. */
  async begin(jobs: readonly Job[] = []): Promise<Process> {
    const opened = openSimulatedJobs(this.#file, () => this.now);
    const place: Place = {
      name: "/garden",
      event: "file-changed",
      list: async () => new Map(this.files),
      watch: () => ({ isWatching: () => false, close: () => undefined }),
    };
    const agentJobs = openAgentJobs({
      jobs: opened.jobs,
      clock: () => this.now,
      report: (message) => void this.reports.push(message),
      tell: async () => undefined,
      upkeep: [],
      events: {
        ...noEvents,
        placesOf: async (hooked) => (hooked.length === 0 ? [] : [place]),
        chainOf: async (_, file) => this.chainOf(file),
        ranCommand: async () => this.commands,
        isDue: async ({ name }) => !this.idle.has(name),
        factsSince: async (time) => this.past.filter(({ at }) => at >= time),
      },
      run: async (_job, run) => {
        const { listed, more } = await opened.jobs.events.ofRun(run);
        const events = listed.map(({ name, subject }) => `${name} ${subject}`.trim());
        this.ran.push({ job: run.job, events, more });
        this.act(run);
        return { state: "done", reason: "" };
      },
    });
    for (const job of jobs) await agentJobs.keep(job);
    await agentJobs.start();
    return { ...opened, agentJobs, pass: (milliseconds) => this.#pass(agentJobs, milliseconds) };
  }

  /** Time passes, with heartbeats. */
  async #pass(agentJobs: AgentJobs, milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1000) {
      this.now += 1000;
      await agentJobs.beat();
      await settle();
    }
  }
}

export type Process = ReturnType<typeof openSimulatedJobs> & {
  readonly agentJobs: AgentJobs;
  readonly pass: (milliseconds: number) => Promise<void>;
};

/** Lets what runs at the same time end. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function writes(database: Process["database"]): number {
  return Number(database.get("SELECT total_changes() AS n")?.["n"] ?? -1);
}
