import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Job } from "../../signal/jobs/job.ts";
import { openDatabase } from "../storage/database.ts";
import type { PlannedRuns } from "./job-runs.ts";
import { noon, openSampleState } from "./samples.fixture.ts";
import type { State } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "jobs-state-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const hour = 3_600_000;
const daily: Job = {
  name: "daily",
  trigger: { kind: "cron", expression: "0 9 * * *", zone: "Europe/Berlin" },
  work: { kind: "built-in", does: "sweeps" },
  catchUp: "once",
  grace: hour,
  overlap: "skip",
  attempts: 3,
  limit: hour,
};
const words = {
  kind: "words",
  text: "Say what changed.",
  session: "s",
  digest: "d",
  workspace: null,
  steps: [],
  spendingCap: null,
} as const;
const place = { last: noon, next: noon + hour, zone: "Europe/Berlin" };

function planOf(changes: Partial<PlannedRuns> = {}): PlannedRuns {
  const scheduled = noon + hour;
  return {
    job: "daily",
    from: noon,
    runs: [{ scheduled, until: scheduled, count: 1, missed: null }],
    last: scheduled,
    next: noon + 2 * hour,
    zone: "Europe/Berlin",
    ...changes,
  };
}

test("a state of version 9 is migrated, and has no jobs", async () => {
  const folder = join(root, "version-9");
  cpSync(join(import.meta.dirname, "../../../test/fixtures/state-v9/state"), folder, { recursive: true });
  await using state = await openSampleState(folder);
  assert.match(state.reports.join(), /was migrated from version 9 to /);
  assert.deepEqual(await state.jobs.all(), []);
  await state.jobs.keep(daily, place);
  assert.deepEqual(await state.jobs.get("daily"), { ...daily, ...place, paused: false });
});

test("runs that ask a model and others wait apart, and so do those that a state of version 16 has", async () => {
  const folder = join(root, "version-16");
  const asking = { name: "asking", work: { ...words, tier: "reasoning" } } as const;
  const small = { name: "small", work: { ...words, tier: "cognition" } } as const;
  const reflex = { name: "reflex", work: { ...words, tier: "reflex" } } as const;
  const kinds = [asking, small, reflex, {}].map((job): Job => ({ ...daily, ...job }));
  const waiting = async (state: State) => {
    const [asks, needsNone] = [
      await state.jobs.runs.begin("asks-model", 9),
      await state.jobs.runs.begin("needs-none", 9),
    ];
    return [asks, needsNone].map((runs) => runs.map(({ job }) => job).toSorted());
  };
  {
    await using state = await openSampleState(folder);
    for (const job of kinds) {
      await state.jobs.keep(job, place);
      await state.jobs.runs.plan([planOf({ job: job.name })]);
    }
  }
  const old = openDatabase(join(folder, "state.db"), "write");
  old.script(`DROP INDEX job_runs_open; ALTER TABLE job_runs DROP COLUMN asks_model;
    CREATE INDEX job_runs_open ON job_runs (scheduled, job) WHERE state IN ('queued', 'running'); PRAGMA user_version = 16`);
  old.close();
  await using state = await openSampleState(folder);
  assert.match(state.reports.join(), /was migrated from version 16 to /);
  const expected = [
    ["asking", "small"],
    ["daily", "reflex"],
  ];
  assert.deepEqual(await waiting(state), expected);
  for (const { name } of kinds) await state.jobs.runs.enqueue(name);
  await state.jobs.runs.requeueRunning(9);
  assert.deepEqual(await waiting(state), expected);
});

test("an instant is planned once, however often it is tried", async () => {
  await using state = await openSampleState(join(root, "once"));
  await state.jobs.keep(daily, place);
  await state.jobs.runs.plan([planOf()]);
  await state.jobs.runs.plan([planOf(), planOf({ from: noon + 5 })]);
  assert.equal((await state.jobs.runs.list({ most: 10 })).length, 1);
  assert.equal((await state.jobs.get("daily"))?.next, noon + 2 * hour);
});

test("a result counts under the fence of the last beginning only", async () => {
  await using state = await openSampleState(join(root, "fence"));
  const { runs } = state.jobs;
  await state.jobs.keep(daily, place);
  await runs.plan([planOf()]);
  const [first] = await runs.begin("needs-none", 4);
  assert.ok(first !== undefined);
  assert.deepEqual(await runs.begin("needs-none", 4), []);
  await runs.requeueRunning(10);
  const [second] = await runs.begin("needs-none", 4);
  assert.ok(second !== undefined);
  assert.equal(await runs.end(first, "done", "too late"), false);
  assert.equal(await runs.end(second, "failed", "no broom"), true);
  assert.equal(await runs.end(second, "done", "twice"), false);
  assert.deepEqual(
    (await runs.list({ most: 10 })).map(({ state: how, reason }) => [how, reason]),
    [["failed", "no broom"]],
  );
  assert.deepEqual((await runs.untold(0)).length, 1);
  await runs.markTold(second);
  assert.deepEqual(await runs.untold(0), []);
});

test("a run that a process ends in again and again has failed at last", async () => {
  await using state = await openSampleState(join(root, "again"));
  const { runs } = state.jobs;
  await state.jobs.keep(daily, place);
  await runs.plan([planOf()]);
  for (let beginning = 0; beginning < 3; beginning += 1) {
    assert.equal((await runs.begin("needs-none", 1)).length, 1);
    await runs.requeueRunning(3);
  }
  const [run] = await runs.list({ most: 10 });
  assert.equal(run?.state, "failed");
  assert.match(run?.reason ?? "", /ended during this run, 3 times/);
});

test("a paused job begins nothing, and a removed one leaves its past under a name of its own", async () => {
  await using state = await openSampleState(join(root, "paused"));
  const { jobs } = state;
  await jobs.keep(daily, place);
  await jobs.runs.plan([planOf()]);
  assert.equal(await jobs.setPaused("daily", true), true);
  assert.equal(await jobs.setPaused("daily", true), false);
  assert.deepEqual(await jobs.runs.begin("needs-none", 4), []);
  assert.deepEqual([await jobs.due(noon + 9 * hour, 9), await jobs.nextInstant()], [[], null]);
  assert.equal(await jobs.remove("daily"), true);
  assert.equal(await jobs.remove("daily"), false);
  const [run] = await jobs.runs.list({ most: 10 });
  assert.match(run?.job ?? "", /^daily \(removed 2025-/);
  assert.deepEqual([run?.state, run?.reason], ["missed", "The job was removed."]);
  await jobs.keep(daily, place);
  await jobs.runs.plan([planOf()]);
  assert.equal((await jobs.runs.begin("needs-none", 4)).length, 1);
});

test("a run that failed waits, and a clock that was set back does not make it wait longer", async () => {
  const clock = { now: noon };
  await using state = await openSampleState(join(root, "retry"), { clock: () => clock.now });
  const { runs } = state.jobs;
  await state.jobs.keep(daily, place);
  await runs.plan([planOf()]);
  const [run] = await runs.begin("needs-none", 1);
  assert.ok(run !== undefined);
  assert.equal(await runs.retry(run, "no broom", noon + 60_000), true);
  assert.deepEqual(await runs.begin("needs-none", 1), []);
  assert.equal(await runs.nextBeginning(), noon + 60_000);
  clock.now = noon - 24 * hour;
  const [again] = await runs.begin("needs-none", 1);
  assert.deepEqual([again?.attempt, again?.fence], [1, 2]);
});

test("what is noted at an instant of a job's schedule takes the place of no run", async () => {
  await using state = await openSampleState(mkdtempSync(join(root, "noted-")));
  await state.jobs.keep(daily, { ...place, last: noon - hour, next: noon });
  for (const reason of ["A chain ended.", "Another one did."])
    await state.jobs.runs.note({ job: "daily", state: "missed", reason });
  const due = { scheduled: noon, until: noon, count: 1, missed: null };
  await state.jobs.runs.plan([planOf({ from: noon - hour, runs: [due], last: noon })]);
  const runs = await state.jobs.runs.list({ job: "daily", most: 10 });
  assert.deepEqual(runs.map(({ state: how }) => how).toSorted(), ["missed", "missed", "queued"]);
  assert.ok(runs.every(({ scheduled, until }) => scheduled <= until));
});
