import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeRandom } from "../../../test/make-random.ts";
import type { Jobs } from "../../memory/state/jobs.ts";
import type { JobRun } from "../../signal/jobs/job.ts";
import type { JobScheduler, RunResult } from "./job-scheduler.ts";
import {
  checkOutcomes,
  type Life,
  lifeOf,
  machineZones,
  openSimulatedJobs,
  openSimulatedScheduler,
  simulatedJob,
} from "./simulated-jobs.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "jobs-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const hour = 3_600_000;
const day = 24 * hour;

type Simulation = {
  readonly name: string;
  readonly begin: string;
  readonly jobs: number;
  readonly seldom: boolean;
  readonly lives: number;
  /** The steps after which a process is killed at most. */
  readonly longestLife: number;
  readonly seed: number;
};

/** The world outside of the processes: the clock and the zone, and what the work came to. */
class Outside {
  readonly begin: number;
  readonly random: () => number;
  readonly done = new Map<string, number>();
  now: number;
  latest: number;
  zone = machineZones[0] ?? "UTC";
  /** The last process lives, and no work fails any more. */
  isEnding = false;

  constructor({ begin, seed }: Simulation) {
    this.begin = Date.parse(begin);
    this.now = this.begin;
    this.latest = this.begin;
    this.random = makeRandom(seed);
  }

  readonly clock = (): number => this.now;

  readonly run = ({ job, scheduled, attempt }: JobRun): RunResult => {
    if (attempt === 0 && !this.isEnding && this.random() < 0.05)
      return { state: "failed", reason: "It failed once.", again: true };
    const key = `${job} ${scheduled}`;
    this.done.set(key, (this.done.get(key) ?? 0) + 1);
    return { state: "done", reason: "counted" };
  };

  schedulerFor(jobs: Jobs, life: Life): JobScheduler {
    return openSimulatedScheduler(jobs, {
      clock: this.clock,
      zone: () => this.zone,
      life,
      run: this.run,
    });
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
    this.latest = Math.max(this.latest, this.now);
  }

  /** At most a day behind the latest time: what was decided further ahead would be decided again. */
  #back(): number {
    return Math.min(0, Math.max(-day, this.latest - day - this.now));
  }

  /** What happens while no process lives. */
  jump(number: number, lives: number): void {
    const jump = Math.floor(this.random() * 5);
    if (number < lives - 1) this.pass(jump === 0 ? day : jump === 1 ? this.#back() : 0);
    else this.now = Math.max(this.now, this.latest);
    if (number === Math.floor(lives / 2)) this.zone = machineZones[1] ?? "UTC";
    if (number === Math.floor((3 * lives) / 4)) this.zone = machineZones[2] ?? "UTC";
  }
}

/** Keeps the jobs of a simulation, all in one transaction. */
async function keepJobs(file: string, outside: Outside, { jobs: many, seldom }: Simulation): Promise<void> {
  const { jobs, database } = openSimulatedJobs(file, outside.clock);
  const planner = outside.schedulerFor(jobs, lifeOf(null));
  const all = Array.from({ length: many }, (_, index) => simulatedJob(index, seldom));
  const places = await Promise.all(all.map((job) => planner.placeFrom(job, outside.begin)));
  await Promise.all(
    database.transaction("unforced", () => all.map((job, index) => jobs.keep(job, places[index]))),
  );
  database.close();
}

/** One process from its start to its end, or to the step that it is killed at; whether it was killed. */
async function live(file: string, outside: Outside, life: Life): Promise<boolean> {
  const { jobs, database } = openSimulatedJobs(file, outside.clock);
  const scheduler = outside.schedulerFor(jobs, life);
  try {
    await scheduler.start();
    for (let step = 0; step < (outside.isEnding ? 30 : 6); step += 1) {
      await scheduler.tick();
      await scheduler.whenIdle();
      outside.pass(outside.isEnding ? hour : Math.floor(outside.random() * 3 * hour));
    }
  } catch (error) {
    if (!life.isDead()) throw error;
  }
  await scheduler.whenIdle();
  database.close();
  return life.isDead();
}

/** Kills so many processes at random steps while the clock jumps and the zone changes; then lets what is left end, and checks every outcome. */
async function simulate(simulation: Simulation) {
  const { name, lives, longestLife } = simulation;
  const outside = new Outside(simulation);
  const file = join(root, `${name}.db`);
  await keepJobs(file, outside, simulation);
  let killed = 0;
  for (let number = 0; number < lives; number += 1) {
    const life = lifeOf(1 + Math.floor(outside.random() * longestLife));
    if (await live(file, outside, life)) killed += 1;
    outside.jump(number, lives);
  }
  outside.isEnding = true;
  await live(file, outside, lifeOf(null));
  const { jobs, database } = openSimulatedJobs(file, outside.clock);
  const instants = await checkOutcomes(jobs, { begin: outside.begin, end: outside.latest - hour });
  const runs = await jobs.runs.list({ states: ["done"], most: 1_000_000 });
  for (const { job, scheduled } of runs) assert.ok((outside.done.get(`${job} ${scheduled}`) ?? 0) >= 1);
  database.close();
  assert.ok(killed >= lives * 0.4, `${killed} of ${lives} were killed`);
  return { instants, runs: runs.length };
}

test("each job has exactly one outcome for each scheduled instant, whichever step a kill falls on, while the clock jumps a day either way, summer time begins and the zone changes", async () => {
  const { instants, runs } = await simulate({
    name: "spring",
    begin: "2026-03-27T20:00:00Z",
    jobs: 40,
    seldom: false,
    lives: 50,
    longestLife: 150,
    seed: 1,
  });
  assert.ok(instants > 1000 && runs > 200, `${instants} instants, ${runs} runs`);
});

test("each job has exactly one outcome for each scheduled instant where summer time ends", async () => {
  const { instants } = await simulate({
    name: "autumn",
    begin: "2026-10-23T20:00:00Z",
    jobs: 40,
    seldom: false,
    lives: 50,
    longestLife: 150,
    seed: 2,
  });
  assert.ok(instants > 1000, `${instants} instants`);
});

/** `npm run long` keeps 10,000. */
const many = process.env["LONG"] === "all" ? 10_000 : 2000;

test("thousands of jobs have exactly one outcome for each scheduled instant over kills and jumps of the clock", async () => {
  const { instants } = await simulate({
    name: "many",
    begin: "2026-03-28T12:00:00Z",
    jobs: many,
    seldom: true,
    lives: 4,
    longestLife: (many * 2) / 5,
    seed: 3,
  });
  assert.ok(instants >= many, `${instants} instants`);
});
