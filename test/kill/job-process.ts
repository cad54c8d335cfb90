// The process that `kill-jobs.ts` kills: it runs the jobs of a database by a clock that goes faster than the world's.
// usage: node test/kill/job-process.ts FILE EFFECTS BEGIN SPEED ZONE, or with `settle` at the end, to let everything end and leave
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { JobScheduler } from "../../src/daemon/jobs/job-scheduler.ts";
import { openSimulatedJobs } from "../../src/daemon/jobs/simulated-jobs.fixture.ts";

const [file = "", effects = "", begin = "0", speed = "1", zone = "UTC", how = ""] = process.argv.slice(2);
const started = performance.now();
const clock = (): number => Math.floor(Number(begin) + (performance.now() - started) * Number(speed));
const { jobs, database } = openSimulatedJobs(file, clock);
const scheduler = new JobScheduler({
  jobs,
  clock,
  zone: () => zone,
  atOnce: 16,
  async run(_job, { job, scheduled }) {
    await pause(1);
    appendFileSync(effects, `${job} ${scheduled}\n`);
    return { state: "done", reason: "counted" };
  },
  report: (message) => {
    throw new Error(message);
  },
});
await scheduler.start();
process.stdout.write("ready\n");
const hasOpenRuns = async (): Promise<boolean> =>
  (await jobs.runs.list({ states: ["queued", "running"], most: 1 })).length > 0 ||
  (await jobs.events.waiting()).length > 0;
do {
  // An event of each simulated minute, noticed as often as the loop goes round.
  const at = Math.floor(clock() / 60_000) * 60_000;
  const event = { job: "hooked", name: "turn-ended", subject: "", key: `turn ${at}`, at, chain: [] } as const;
  if (how !== "settle") await jobs.events.note([event]);
  await scheduler.tick();
  await (how === "settle" ? scheduler.whenIdle() : pause(5));
} while (how !== "settle" || (await hasOpenRuns()));
process.stdout.write(`${clock()}\n`);
database.close();
