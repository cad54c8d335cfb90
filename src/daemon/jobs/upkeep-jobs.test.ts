import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openAgentJobs } from "./agent-jobs.ts";
import { noEvents, openSimulatedJobs, simulatedJob } from "./simulated-jobs.fixture.ts";
import { Upkeep } from "./upkeep-jobs.ts";

const root = mkdtempSync(join(tmpdir(), "upkeep-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const minute = 60_000;
const begin = Date.parse("2026-05-05T12:00:00Z");

function openWorld(name: string) {
  const file = join(root, `${name}.db`);
  const world = { now: begin, due: [] as string[], looks: 0, requests: 0, reports: [] as string[] };
  const { jobs, database } = openSimulatedJobs(file, () => world.now);
  const agentJobs = openAgentJobs({
    jobs,
    clock: () => world.now,
    report: (message) => void world.reports.push(message),
    events: noEvents,
    tell: async () => undefined,
    run: async () => {
      world.requests += 1;
      return { state: "done", reason: "" };
    },
    upkeep: [
      {
        name: "sweeps",
        does: "sweeps",
        work: async () => {
          world.looks += 1;
          const due = world.due.shift() ?? null;
          if (due === "broken") throw new Error("the broom broke");
          return due;
        },
      },
    ],
  });
  return { file, world, jobs, database, agentJobs };
}

test("a heartbeat runs what is due, notes only what was done, and leaves out what is paused", async () => {
  const { world, jobs, database, agentJobs } = openWorld("due");
  await agentJobs.start();
  await agentJobs.beat();
  assert.deepEqual(await jobs.runs.list({ most: 10 }), []);
  world.due.push("3 rooms");
  world.now += minute;
  await agentJobs.beat();
  const [run] = await jobs.runs.list({ most: 10 });
  assert.deepEqual(
    [run?.job, run?.state, run?.reason, run?.endedAt],
    ["sweeps", "done", "3 rooms", world.now],
  );
  await jobs.setPaused("sweeps", true);
  const { looks } = world;
  await agentJobs.beat();
  assert.equal(world.looks, looks);
  assert.equal(await agentJobs.resume("sweeps"), true);
  await agentJobs.beat();
  assert.equal(world.looks, looks + 1);
  database.close();
});

test("a failure that goes on is told and noted once, and again after it went well meanwhile", async () => {
  const { world, jobs, database, agentJobs } = openWorld("failing");
  await agentJobs.start();
  world.due.push("broken", "broken", "done", "broken");
  for (let beat = 0; beat < 4; beat += 1) await agentJobs.beat();
  assert.deepEqual(
    (await jobs.runs.list({ most: 10 })).map(({ state }) => state),
    ["failed", "done", "failed"],
  );
  assert.equal(world.reports.length, 2);
  assert.match(world.reports[0] ?? "", /sweeps failed: the broom broke/);
  const byHand = async () => {
    const { ok, text } = (await agentJobs.runNow("sweeps")) ?? {};
    return [ok, text];
  };
  world.due.push("broken", "3 rooms");
  assert.deepEqual(await byHand(), [false, "The job sweeps failed: the broom broke"]);
  assert.deepEqual(await byHand(), [true, "3 rooms"]);
  assert.deepEqual(await byHand(), [true, "Nothing was due."]);
  assert.equal(await agentJobs.runNow("none"), null);
  database.close();
});

test("a heartbeat waits for no job that may ask a model, and begins none that goes on", async () => {
  const file = join(root, "aside.db");
  const { jobs, database } = openSimulatedJobs(file, () => begin);
  const answers = [Promise.withResolvers<string | null>(), Promise.withResolvers<string | null>()];
  const began: boolean[] = [];
  const upkeep = new Upkeep({
    jobs,
    report: (message) => assert.fail(message),
    all: [
      {
        name: "asks",
        does: "asks",
        mayAskModel: true,
        work: (asked) => answers[began.push(asked) - 1]?.promise ?? assert.fail(),
      },
      { name: "sweeps", does: "sweeps", work: async () => "3 rooms" },
    ],
  });
  await upkeep.start();
  await upkeep.beat();
  await upkeep.beat();
  const done = async () => (await jobs.runs.list({ most: 10 })).map(({ reason }) => reason).toSorted();
  assert.deepEqual([await done(), began], [["3 rooms", "3 rooms"], [false]]);
  const byHand = upkeep.run("asks");
  answers[0]?.resolve("a day");
  answers[1]?.resolve("another");
  assert.deepEqual(await byHand, { ok: true, text: "another" });
  assert.deepEqual(
    [await done(), began],
    [
      ["3 rooms", "3 rooms", "a day", "another"],
      [false, true],
    ],
  );
  database.close();
});

test("a job whose schedule changed begins with it now, and one whose words changed goes on", async () => {
  const { world, jobs, database, agentJobs } = openWorld("changed");
  await agentJobs.start();
  const trigger = { kind: "cron" as const, expression: "0 9 * * *", zone: "UTC" };
  const job = { ...simulatedJob(0, true), name: "report", trigger };
  await agentJobs.keep(job);
  assert.equal((await jobs.get("report"))?.last, begin);
  world.now = begin + 3 * 24 * 60 * minute;
  await agentJobs.keep({ ...job, attempts: 1 });
  assert.equal((await jobs.get("report"))?.last, begin);
  await agentJobs.keep({ ...job, trigger: { ...trigger, expression: "* * * * *" } });
  const kept = await jobs.get("report");
  assert.deepEqual([kept?.last, kept?.next], [world.now, world.now + minute]);
  await jobs.setPaused("report", true);
  const paused = await agentJobs.runNow("report");
  assert.deepEqual([paused?.ok, /is paused, and was not begun/.test(paused?.text ?? "")], [false, true]);
  await agentJobs.stop();
  database.close();
});

test("24 hours without due work make no request and no write", async () => {
  const { file, world, jobs, database, agentJobs } = openWorld("idle");
  await agentJobs.start();
  const job = {
    ...simulatedJob(0, true),
    trigger: { kind: "cron" as const, expression: "0 0 1 1 *", zone: "UTC" },
  };
  await jobs.keep(job, { last: begin, next: Date.parse("2027-01-01T00:00:00Z"), zone: "UTC" });
  const bytes = () => [file, `${file}-wal`].map((path) => readFileSync(path));
  const before = bytes();
  for (let beat = 0; beat < 24 * 60; beat += 1) {
    world.now += minute;
    await agentJobs.beat();
  }
  assert.equal(world.looks, 24 * 60);
  assert.equal(world.requests, 0);
  assert.ok(bytes().every((now, index) => now.equals(before[index] ?? Buffer.alloc(0))));
  database.close();
});
