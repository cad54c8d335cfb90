import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSampleState, sampleApproval, sampleResult, sampleSignal } from "./samples.fixture.ts";

test("what was booked while the clock was years ahead counts for no day of now", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "future-clock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let now = Date.parse("2046-05-05T12:00:00Z");
  await using state = await openSampleState(folder, { clock: () => now });
  const reserve = () =>
    state.ledger.reserve({
      turn: "t1",
      session: "s1",
      provider: "p",
      model: "m",
      price: { from: "setting", day: null },
      microdollars: 60,
      limits: { perDay: 100, perSession: null, perTurn: null },
    });
  assert.equal((await reserve()).ok, true);
  now = Date.parse("2026-05-05T12:00:00Z");
  assert.equal((await reserve()).ok, true);
  assert.equal((await reserve()).ok, false);
});

const day = 86_400_000;

test("a clock that shows the future for a while deletes nothing for good; one that goes on for a day is believed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "future-clock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const today = Date.parse("2026-05-05T12:00:00Z");
  let now = today;
  await using state = await openSampleState(folder, { clock: () => now });
  const long = "x".repeat(10_000);
  await state.results.put(sampleResult("long", long));
  const isWhole = async () => JSON.stringify(await state.results.get("long")).includes(long);
  const named = { session: "s1", client: "c1" };
  await state.requests.begin(named, "push");
  const far = Date.parse("2046-05-05T12:00:00Z");
  for (const minute of [0, 1, 2]) {
    now = far + minute * 60_000;
    await state.prune();
    await state.requests.begin({ session: "s1", client: `future-${minute}` }, "undo");
  }
  now = today + 60_000;
  await state.prune();
  assert.deepEqual([await isWhole(), (await state.requests.begin(named, "push")).kind], [true, "unknown"]);
  now = far;
  await state.prune();
  assert.equal(await isWhole(), true);
  now = far + day;
  await state.prune();
  assert.equal(await isWhole(), false);
});

test("the log of a job's runs survives a clock that shows the future for two minutes", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "future-clock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const today = Date.parse("2026-05-05T12:00:00Z");
  let now = today;
  await using state = await openSampleState(folder, { clock: () => now });
  const note = (reason: string) => state.jobs.runs.note({ job: "water", state: "done", reason });
  const reasons = async () =>
    (await state.jobs.runs.list({ job: "water", most: 9 })).map(({ reason }) => reason);
  await note("today");
  for (const minute of [0, 1, 2]) {
    now = Date.parse("2046-05-05T12:00:00Z") + minute * 60_000;
    await note("in the future");
  }
  now = today + 60_000;
  assert.ok((await reasons()).includes("today"));
  for (let days = 1; days <= 100; days += 1) {
    now = today + days * day;
    await note("later");
  }
  assert.ok(!(await reasons()).includes("today"), "what ended long ago is forgotten as before");
});

test("a question that was asked while the clock was years ahead expires as one of now", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "future-clock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  let now = Date.parse("2046-05-05T12:00:00Z");
  await using state = await openSampleState(folder, { clock: () => now });
  const { turn } = await state.accept(sampleSignal(), 50);
  await state.commit({ turn: { ...turn, state: "thinking" } });
  const { tokenHash } = state.approvals.newToken();
  const approval = sampleApproval(turn.id, tokenHash, { createdAt: now, expiresAt: now + 3_600_000 });
  await state.commit({ turn: { ...turn, state: "suspended" }, approval });
  now = Date.parse("2026-05-05T12:00:00Z");
  // Also before anything writes.
  assert.equal((await state.approvals.open())[0]?.expiresAt, now + 3_600_000);
  assert.deepEqual(await state.approvals.suspendedPastExpiry(now), []);
  assert.equal((await state.approvals.open())[0]?.expiresAt, now + 3_600_000);
  assert.deepEqual(await state.approvals.suspendedPastExpiry(now + 3_600_000), [turn.id]);
});
