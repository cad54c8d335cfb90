import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { openSampleState, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "counted-calls-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("calls count for all caps of a turn at once, the same call once, over a start, until the turn is over", async () => {
  const folder = join(root, "state");
  const [job, skill] = [
    { holder: "job", most: 3, weight: 1 },
    { holder: "skill dice", most: 2, weight: 1 },
  ];
  {
    await using state = await openSampleState(folder);
    const turn = (await state.accept(sampleSignal({ session: "s" }), 10)).turn.id;
    const take = (caps: readonly (typeof job)[], call: string) =>
      state.countedCalls.take(caps, { root: turn, call });
    assert.equal(await take([job, skill], "1"), null);
    assert.equal(await take([job, skill], "1"), null);
    assert.equal(await take([job, skill], "2"), null);
    // A cap that does not hold a call leaves the others as they are.
    assert.deepEqual(await take([job, skill], "3"), skill);
    const twice = { ...job, weight: 2 };
    assert.deepEqual(await take([twice], "3"), twice);
    assert.equal(await take([job], "3"), null);
    const other = { root: "other", call: "1" };
    assert.equal(await state.countedCalls.take([{ ...job, weight: 3 }], other), null);
  }
  await using state = await openSampleState(folder);
  const [turn] = await state.turns.ofSession("s", { limit: 1 });
  assert.ok(turn !== undefined);
  const again = { root: turn.id, call: "4" };
  assert.deepEqual(await state.countedCalls.take([job], again), job);
  await state.prune();
  assert.deepEqual(await state.countedCalls.take([job], again), job);
  assert.equal(await state.countedCalls.take([{ ...job, weight: 3 }], { root: "other", call: "2" }), null);
});

test("a state of version 15 is migrated, and counts from then on", async () => {
  const folder = join(root, "version-15");
  await (await openSampleState(folder))[Symbol.asyncDispose]();
  const database = openDatabase(join(folder, "state.db"), "write");
  database.script("DROP TABLE counted_calls; PRAGMA user_version = 15");
  database.close();
  await using state = await openSampleState(folder);
  assert.match(state.reports.join(), /was migrated from version 15 to /);
  const cap = { holder: "job", most: 1, weight: 1 };
  assert.equal(await state.countedCalls.take([cap], { root: "turn", call: "1" }), null);
  assert.deepEqual(await state.countedCalls.take([cap], { root: "turn", call: "2" }), cap);
});
