import assert from "node:assert/strict";
import { type Jobs, openJobs } from "../../memory/state/jobs.ts";
import { schema } from "../../memory/state/schema.ts";
import { type Database, openDatabase } from "../../memory/storage/database.ts";
import type { Job, JobRun } from "../../signal/jobs/job.ts";
import type { AgentJobsParts } from "./agent-jobs.ts";
import { readSchedule } from "./cron.ts";
import { JobScheduler, type RunResult } from "./job-scheduler.ts";
import type { NextInstant } from "./plan-runs.ts";

const minute = 60_000;
const day = 86_400_000;

/** Events of a world in which nothing happens. */
export const noEvents: AgentJobsParts["events"] = {
  placesOf: async () => [],
  chainOf: async () => null,
  ranCommand: async () => false,
  factsSince: async () => [],
  isDue: async () => true,
};

const expressions = [
  "30 2 * * *",
  "0 3 * * *",
  "*/20 * * * *",
  "15 1,13 * * *",
  "0 0 * * 0",
  "59 23 28-31 * *",
];
const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"];
/** The zones that the machine of a simulation has, one after the other. */
export const machineZones = ["Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles"];

/** A job of a simulation. `seldom`: it is due once a day. */
export function simulatedJob(number: number, seldom: boolean): Job {
  const pick = <T>(list: readonly T[], salt: number): T =>
    list[Math.floor(number / salt) % list.length] ?? list[0] ?? assert.fail();
  const catchUp = pick(["skip", "once", "all"] as const, 2);
  return {
    name: `job-${String(number).padStart(5, "0")}`,
    trigger: {
      kind: "cron",
      expression: seldom ? `${number % 60} ${number % 24} * * *` : pick(expressions, 1),
      zone: number % 5 === 0 ? null : pick(zones, 3),
    },
    work: { kind: "built-in", does: "counts" },
    catchUp,
    grace: catchUp === "skip" ? 30 * minute : 2 * day,
    overlap: catchUp === "all" ? "wait" : pick(["skip", "wait"] as const, 5),
    attempts: 3,
    limit: 10 * minute,
  };
}

/** Thrown in the place of everything that a process which was killed would have done. */
class Killed extends Error {}

/** A process that is killed before or after one of its steps. */
export type Life = { readonly survive: (step: string) => void; readonly isDead: () => boolean };

/** Lives until so many steps were made; forever where that is null. */
export function lifeOf(steps: number | null): Life {
  let left = steps;
  return {
    isDead: () => left === 0,
    survive(step) {
      if (left === 0) throw new Killed(`killed at ${step}`);
      if (left !== null) left -= 1;
      if (left === 0) throw new Killed(`killed at ${step}`);
    },
  };
}

/** The ports of the jobs for a process that may be killed before and after each of their calls. */
function mortal<T extends object>(ports: T, life: Life): T {
  return new Proxy(ports, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof value === "object" && value !== null) return mortal(value, life);
      if (typeof value !== "function") return value;
      return async (...given: readonly unknown[]) => {
        life.survive(`before ${String(key)}`);
        const result: unknown = await Reflect.apply(value, target, given);
        life.survive(`after ${String(key)}`);
        return result;
      };
    },
  });
}

/** Opens the jobs of a database file, and makes it where there is none. */
export function openSimulatedJobs(
  file: string,
  clock: () => number,
): { readonly jobs: Jobs; readonly database: Database } {
  const database = openDatabase(file, "write");
  if (database.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined)
    database.script(`PRAGMA journal_mode = WAL; ${schema}`);
  return { jobs: openJobs(database, clock), database };
}

/** Makes a scheduler of a simulation. Killed processes report nothing. */
export function openSimulatedScheduler(
  jobs: Jobs,
  world: {
    readonly clock: () => number;
    readonly zone: () => string;
    readonly life: Life;
    readonly run: (run: JobRun) => RunResult;
  },
): JobScheduler {
  return new JobScheduler({
    jobs: mortal(jobs, world.life),
    clock: world.clock,
    zone: world.zone,
    atOnce: 64,
    async run(_job, run) {
      world.life.survive("before the work");
      const result = world.run(run);
      await Promise.resolve();
      world.life.survive("after the work");
      return result;
    },
    report: (message) => {
      if (!world.life.isDead()) assert.fail(message);
    },
  });
}

const schedules = new Map<string, NextInstant>();

function scheduleOf(expression: string, zone: string): NextInstant {
  const key = `${zone} ${expression}`;
  const known = schedules.get(key);
  if (known !== undefined) return known;
  const read = readSchedule(expression, zone);
  assert.ok(read.ok);
  schedules.set(key, read.next);
  return read.next;
}

/** Checks that each instant of each job since it was kept has exactly one outcome; gives how many instants there were. */
export async function checkOutcomes(
  jobs: Jobs,
  { begin, end }: { readonly begin: number; readonly end: number },
): Promise<number> {
  let instants = 0;
  for (const job of await jobs.all()) {
    const { trigger } = job;
    if (trigger.kind !== "cron") continue;
    const possible = (trigger.zone === null ? machineZones : [trigger.zone]).map((zone) =>
      scheduleOf(trigger.expression, zone),
    );
    const runs = (await jobs.runs.list({ job: job.name, most: 100_000 })).toSorted(
      (one, other) => one.scheduled - other.scheduled,
    );
    let place = begin;
    for (const run of runs) {
      const { scheduled, until, count, state } = run;
      assert.ok(
        state !== "queued" && state !== "running",
        `${job.name} is still ${state}: ${JSON.stringify([run, job])}`,
      );
      const fits = possible.some((next) => {
        if (next(place) !== scheduled) return false;
        let [last, found] = [scheduled, 1];
        for (let coming = next(last); coming !== null && coming <= until; coming = next(coming)) {
          last = coming;
          found += 1;
        }
        return last === until && found === count;
      });
      assert.ok(fits, `${job.name}: ${JSON.stringify(run)} does not follow ${new Date(place).toISOString()}`);
      place = until;
      instants += count;
    }
    assert.equal(job.last, place);
    assert.ok(
      possible.some((next) => (next(place) ?? end + 1) > end),
      `${job.name} lacks instants`,
    );
  }
  return instants;
}
