import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Job } from "../../signal/jobs/job.ts";
import { openDatabase } from "../storage/database.ts";
import { noon, openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "job-events-"));
after(() => rmSync(root, { recursive: true, force: true }));

const job: Job = {
  name: "look",
  trigger: { kind: "cron", expression: "0 9 * * *", zone: null },
  work: { kind: "built-in", does: "looks" },
  catchUp: "once",
  grace: 0,
  overlap: "skip",
  attempts: 1,
  limit: 1000,
};

const event = (number: number) => ({
  job: "look",
  name: "file-changed" as const,
  subject: `f${number}`,
  key: `f${number}`,
  at: noon + number,
  chain: ["other"],
});

test("a state of version 12 is migrated with its jobs, and no event waits", async () => {
  const place = join(root, "version-12");
  const before = await openSampleState(place);
  await before.jobs.keep(job);
  await before[Symbol.asyncDispose]();
  const database = openDatabase(join(place, "state.db"), "write");
  database.script("DROP TABLE job_events; DROP TABLE job_places; PRAGMA user_version = 12");
  database.close();
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /was migrated from version 12 to /);
  assert.equal((await state.jobs.get("look"))?.hooks, undefined);
  assert.deepEqual(await state.jobs.events.waiting(), []);
});

test("an event is one row and one run, however often it is noted; one of a job that is gone is none", async () => {
  await using state = await openSampleState(join(root, "once"));
  const { events, runs } = state.jobs;
  await events.note([event(1)]);
  assert.deepEqual(await events.waiting(), []);
  await state.jobs.keep(job);
  await events.note([event(1), event(2)]);
  await events.note([event(2)]);
  assert.deepEqual(await events.waiting(), [{ job: "look", first: noon + 1, last: noon + 2, count: 2 }]);
  await events.plan("look", noon + 2, null);
  await events.plan("look", noon + 2, null);
  await events.note([event(1)]);
  const [run, ...others] = await runs.list({ most: 10 });
  assert.ok(run !== undefined && others.length === 0 && run.scheduled % 1000 !== 0);
  assert.deepEqual(await events.ofRun(run), {
    listed: [
      { name: "file-changed", subject: "f1" },
      { name: "file-changed", subject: "f2" },
    ],
    more: 0,
    chain: ["other"],
  });
  await state.jobs.remove("look");
  assert.deepEqual(await events.waiting(), []);
});
