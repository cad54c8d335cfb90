import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Job, JobRun } from "../../signal/jobs/job.ts";
import { JobScheduler, type RunResult } from "./job-scheduler.ts";
import { openSimulatedJobs, simulatedJob } from "./simulated-jobs.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "late-runs-"));
after(() => rmSync(root, { recursive: true, force: true }));

const minute = 60_000;
const day = 1440 * minute;
const begin = Date.parse("2026-05-05T12:00:00Z");
const done: RunResult = { state: "done", reason: "" };

function jobOf(name: string, changes: Partial<Job> = {}): Job {
  const trigger = { kind: "cron", expression: "* * * * *", zone: "UTC" } as const;
  return {
    ...simulatedJob(0, true),
    name,
    trigger,
    catchUp: "all",
    grace: 5 * minute,
    overlap: "wait",
    ...changes,
  };
}

/** A scheduler with a clock that is set; `work` is what its runs do. */
async function openWorld(name: string, jobs: readonly Job[]) {
  const world = { now: begin, work: async (_run: JobRun): Promise<RunResult> => done };
  const opened = openSimulatedJobs(join(root, `${name}.db`), () => world.now);
  const reports: string[] = [];
  const openScheduler = () =>
    new JobScheduler({
      jobs: opened.jobs,
      clock: () => world.now,
      zone: () => "UTC",
      run: (_job, run) => world.work(run),
      atOnce: 4,
      report: (message) => void reports.push(message),
    });
  const scheduler = openScheduler();
  for (const job of jobs) await opened.jobs.keep(job, await scheduler.placeFrom(job, begin));
  const outcomes = async (job: string) =>
    (await opened.jobs.runs.list({ job, most: 1000 }))
      .toSorted((one, other) => one.scheduled - other.scheduled)
      .map(({ scheduled, count, state, reason }) => ({
        at: (scheduled - begin) / minute,
        count,
        state,
        reason,
      }));
  return { world, scheduler, openScheduler, reports, outcomes, ...opened };
}

test("a run that waited behind another one until its grace was over is missed, and says why", async () => {
  const { world, scheduler, outcomes } = await openWorld("waited", [jobOf("slow")]);
  const first = Promise.withResolvers<RunResult>();
  world.work = async (run) => (run.scheduled === begin + minute ? first.promise : done);
  for (let passed = 1; passed <= 60; passed += 1) {
    world.now = begin + passed * minute;
    await scheduler.tick();
  }
  first.resolve(done);
  await scheduler.whenIdle();
  const all = await outcomes("slow");
  assert.equal(all.length, 60);
  assert.deepEqual(
    all.filter(({ state }) => state === "done").map(({ at }) => at),
    [1, 55, 56, 57, 58, 59, 60],
  );
  assert.match(all[1]?.reason ?? "", /^It waited until the grace of the job was over/);
  assert.ok(all.every(({ state }) => state === "done" || state === "missed"));
});

test("a run that was planned and not begun before the process ended keeps its grace; one that was begun goes on however late", async () => {
  const { world, jobs, openScheduler, outcomes } = await openWorld("ended", [
    jobOf("planned"),
    jobOf("begun"),
  ]);
  for (const job of ["planned", "begun"])
    await jobs.runs.plan([
      {
        job,
        from: begin,
        runs: [{ scheduled: begin + minute, until: begin + minute, count: 1, missed: null }],
        last: begin + minute,
        next: begin + 365 * day,
        zone: "UTC",
      },
    ]);
  await jobs.setPaused("planned", true);
  assert.equal((await jobs.runs.begin("needs-none", 4)).length, 1);
  await jobs.setPaused("planned", false);
  world.now = begin + 7 * day;
  const next = openScheduler();
  await next.start();
  await next.tick();
  await next.whenIdle();
  assert.deepEqual(
    (await outcomes("begun")).map(({ state }) => state),
    ["done"],
  );
  assert.deepEqual(
    (await outcomes("planned")).map(({ state }) => state),
    ["missed"],
  );
});

test("a clock that jumps ahead by days keeps the process answering, and what was missed meanwhile is one line", async () => {
  const { world, scheduler, outcomes } = await openWorld("ahead", [jobOf("often")]);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting.next = setImmediate(count);
  };
  const counting = { next: setImmediate(count) };
  world.now = begin + 3 * day;
  await scheduler.tick();
  clearImmediate(counting.next);
  await scheduler.whenIdle();
  const [missed, ...others] = await outcomes("often");
  assert.deepEqual([missed?.state, missed?.count], ["missed", 3 * 1440 - 6]);
  assert.deepEqual(
    others.map(({ state }) => state),
    Array.from({ length: 6 }, () => "done"),
  );
  assert.ok(turns >= 8, `${turns} turns of the event loop`);
});

test("100 jobs at one instant have one run each, at most four at a time", async () => {
  const names = Array.from({ length: 100 }, (_, number) => `job-${number}`);
  const { world, scheduler, jobs } = await openWorld(
    "many",
    names.map((name) => jobOf(name)),
  );
  const seen = { now: 0, most: 0 };
  world.work = async () => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await new Promise((resolve) => setImmediate(resolve));
    seen.now -= 1;
    return done;
  };
  world.now = begin + minute;
  await Promise.all([scheduler.tick(), scheduler.tick()]);
  await scheduler.whenIdle();
  const runs = await jobs.runs.list({ states: ["done"], most: 1000 });
  assert.deepEqual([runs.length, new Set(runs.map(({ job }) => job)).size, seen.most], [100, 100, 4]);
});

test("a worker that comes back after its limit changes nothing: neither the outcome, nor the run after it", async () => {
  const { world, scheduler, jobs, outcomes } = await openWorld("worker", [jobOf("hangs", { limit: 20 })]);
  const late = Promise.withResolvers<RunResult>();
  world.work = async (run) =>
    run.scheduled === begin + minute ? late.promise : { state: "done", reason: "second" };
  world.now = begin + 2 * minute;
  await scheduler.tick();
  await scheduler.whenIdle();
  late.resolve({ state: "done", reason: "late" });
  await scheduler.whenIdle();
  const [first, second] = await outcomes("hangs");
  assert.deepEqual([first?.state, second?.state, second?.reason], ["failed", "done", "second"]);
  assert.match(first?.reason ?? "", /longer than its limit/);
  const [run] = await jobs.runs.list({ job: "hangs", most: 1 });
  assert.ok(run !== undefined);
  assert.equal(await jobs.runs.end({ ...run, fence: run.fence + 1 }, "failed", "another fence"), false);
});

test("models that do not answer hold up other runs that ask one, and no run that needs none", async () => {
  const words = {
    kind: "words",
    text: "",
    session: "s",
    digest: "",
    workspace: null,
    steps: [],
    spendingCap: null,
  } as const;
  const named = (tier: "reasoning" | "reflex", ...names: readonly string[]) =>
    names.map((name) => jobOf(name, { work: { ...words, tier } }));
  const asking = named("reasoning", "a", "b", "c", "d", "e", "f");
  const { world, scheduler, jobs } = await openWorld("hung", [...asking, ...named("reflex", "x", "y", "z")]);
  const silence = Promise.withResolvers<RunResult>();
  world.work = async ({ job }) => (job >= "x" ? done : silence.promise);
  world.now = begin + minute;
  await scheduler.tick();
  const namesIn = async (state: JobRun["state"]) =>
    (await jobs.runs.list({ states: [state], most: 100 }))
      .map(({ job }) => job)
      .toSorted()
      .join("");
  for (let turn = 0; turn < 1000 && (await namesIn("done")) !== "xyz"; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    [await namesIn("done"), await namesIn("running"), await namesIn("queued")],
    ["xyz", "abcd", "ef"],
  );
  silence.resolve(done);
  await scheduler.whenIdle();
  assert.equal(await namesIn("done"), "abcdefxyz");
});

test("what a clock decided that showed 2046 for a moment is decided again once it is right: the job runs on, and nothing counts as missed", async () => {
  const { world, scheduler, jobs, reports, outcomes } = await openWorld("future", [
    jobOf("hourly", { trigger: { kind: "cron", expression: "0 * * * *", zone: "UTC" }, catchUp: "once" }),
  ]);
  world.now = begin + 60 * minute;
  await scheduler.tick();
  await scheduler.whenIdle();
  world.now = Date.parse("2046-05-05T12:00:30Z");
  await scheduler.tick();
  await scheduler.whenIdle();
  world.now = begin + 62 * minute;
  await scheduler.tick();
  assert.match(reports.join("\n"), /The clock was ahead by more than a day\. .* hourly\./);
  assert.equal((await jobs.get("hourly"))?.next, begin + 120 * minute);
  world.now = begin + 120 * minute;
  await scheduler.tick();
  await scheduler.whenIdle();
  const all = await outcomes("hourly");
  assert.deepEqual(
    all.filter(({ state }) => state !== "done"),
    [],
  );
  assert.ok(all.some(({ at }) => at === 120));
});
