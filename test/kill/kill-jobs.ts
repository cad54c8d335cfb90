// Sends `kill -9` to a process that runs jobs, again and again, while its clock jumps by a day either way, its zone changes, and summer time begins or ends.
// usage: npm run kills:jobs -- --jobs 10000 --kills 100 --seed 1; it sends so many kills in spring and as many in autumn
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  checkOutcomes,
  lifeOf,
  machineZones,
  openSimulatedJobs,
  openSimulatedScheduler,
  simulatedJob,
} from "../../src/daemon/jobs/simulated-jobs.fixture.ts";
import { makeRandom } from "../make-random.ts";

/** How many jobs, how many kills, from which seed, and at which change of summer time. */
export type JobKills = {
  readonly jobs: number;
  readonly kills: number;
  readonly seed: number;
  readonly season: keyof typeof beginnings;
};

/** When a process begins first: hours before summer time begins and ends in Europe. */
const beginnings = { spring: "2026-03-27T20:00:00Z", autumn: "2026-10-23T20:00:00Z" } as const;

const day = 86_400_000;
/** Simulated milliseconds in a real one: a process lives for some hours. */
const speed = 60_000;
const program = fileURLToPath(new URL("job-process.ts", import.meta.url));

/** Kills the process so often, lets the last one end, and checks that each instant of each job has exactly one outcome; gives how many there are. */
export async function killJobs({ jobs: many, kills, seed, season }: JobKills): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "kill-jobs-"));
  const [file, effects] = [join(folder, "jobs.db"), join(folder, "effects")];
  const random = makeRandom(seed);
  const begin = Date.parse(beginnings[season]);
  try {
    writeFileSync(effects, "");
    await keepJobs(file, many, begin);
    let [now, latest] = [begin, begin];
    for (let kill = 0; kill < kills; kill += 1) {
      const zone = machineZones[Math.floor((kill * machineZones.length) / kills)] ?? "UTC";
      const lived = await liveAndDie([file, effects, String(now), String(speed), zone], 50 + random() * 250);
      now += Math.ceil(lived * speed);
      latest = Math.max(latest, now);
      const jump = Math.floor(random() * 5);
      now += jump === 0 ? day : jump === 1 ? -day : 0;
    }
    latest = Math.max(latest, now);
    await settle([file, effects, String(latest + 1), "1", machineZones.at(-1) ?? "UTC", "settle"]);
    const { jobs, database } = openSimulatedJobs(file, () => latest);
    const instants = await checkOutcomes(jobs, { begin, end: latest });
    const seen = new Set(readFileSync(effects, "utf8").split("\n"));
    const done = await jobs.runs.list({ states: ["done"], most: 10_000_000 });
    for (const { job, scheduled } of done) assert.ok(seen.has(`${job} ${scheduled}`), `${job} ${scheduled}`);
    checkEvents(database);
    database.close();
    return instants;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Each event has exactly one run, which has ended. */
function checkEvents(database: ReturnType<typeof openSimulatedJobs>["database"]): void {
  const rows = database.all(
    `SELECT job_events.key, (SELECT count(*) FROM job_runs WHERE job_runs.job = job_events.job AND scheduled = run AND ended IS NOT NULL) AS runs
     FROM job_events`,
  );
  assert.ok(rows.length > 0);
  for (const { key, runs } of rows) assert.equal(runs, 1, String(key));
}

async function keepJobs(file: string, many: number, begin: number): Promise<void> {
  const { jobs, database } = openSimulatedJobs(file, () => begin);
  const planner = openSimulatedScheduler(jobs, {
    clock: () => begin,
    zone: () => machineZones[0] ?? "UTC",
    life: lifeOf(null),
    run: () => assert.fail("nothing is due"),
  });
  const scheduled = Array.from({ length: many }, (_, index) => simulatedJob(index, many > 1000));
  const hooks = { on: [{ name: "turn-ended", about: null }], since: begin } as const;
  const hooked = { ...simulatedJob(0, true), name: "hooked", trigger: { kind: "events" }, hooks } as const;
  const all = [...scheduled, hooked];
  const places = await Promise.all(all.map((job) => planner.placeFrom(job, begin)));
  await Promise.all(
    database.transaction("unforced", () => all.map((job, index) => jobs.keep(job, places[index]))),
  );
  database.close();
}

/** Kills a process so many milliseconds after it began to work; gives how long it lived at most, in milliseconds. */
async function liveAndDie(given: readonly string[], milliseconds: number): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...given], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), end]);
  assert.equal(child.exitCode, null, "the process ended by itself");
  await pause(milliseconds);
  child.kill("SIGKILL");
  await end;
  return performance.now() - begun;
}

async function settle(given: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...given], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "exit");
  assert.equal(child.exitCode, 0);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      jobs: { type: "string", default: "10000" },
      kills: { type: "string", default: "50" },
      seed: { type: "string", default: "1" },
    },
  });
  const plan = { jobs: Number(values.jobs), kills: Number(values.kills), seed: Number(values.seed) };
  for (const season of ["spring", "autumn"] as const) {
    const instants = await killJobs({ ...plan, season });
    process.stdout.write(
      `${season}: ${plan.jobs} jobs, ${plan.kills} kills, seed ${plan.seed}: ${instants} instants, each with exactly one outcome\n`,
    );
  }
}
