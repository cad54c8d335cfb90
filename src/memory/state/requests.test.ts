import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noon, openSampleState, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "requests-"));
const named = { session: "s1", client: "c1" };

test("a request is new once, unknown until its end is kept, and then what it came to", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    assert.deepEqual(await state.requests.begin(named, "undo"), { kind: "new" });
    assert.deepEqual(await state.requests.begin(named, "undo"), { kind: "unknown" });
  }
  {
    await using state = await openSampleState(place);
    assert.deepEqual(await state.requests.begin(named, "undo"), { kind: "unknown" });
    await state.requests.end(named, "Undone.");
  }
  await using state = await openSampleState(place);
  assert.deepEqual(await state.requests.begin(named, "undo"), { kind: "done", outcome: "Undone." });
  assert.equal(await state.requests.has(named), true);
});

test("what requests came to goes with whatever is forgotten, and they are still not executed twice", async () => {
  await using state = await openSampleState(folder());
  await state.requests.begin(named, "review");
  await state.requests.end(named, "It said: abracadabra");
  await state.requests.begin({ ...named, client: "c2" }, "undo");
  const nothing = { id: "none", files: [], versions: [], edits: [], grown: null };
  await state.forget(nothing, { turn: null, session: null });
  assert.deepEqual(await state.requests.begin(named, "review"), { kind: "forgotten" });
  assert.deepEqual(await state.requests.begin({ ...named, client: "c2" }, "undo"), { kind: "unknown" });
});

test("a request that came to nothing is as if it had never been begun", async () => {
  await using state = await openSampleState(folder());
  await state.requests.begin(named, "approve x");
  await state.requests.end(named, null);
  assert.equal(await state.requests.has(named), false);
  assert.deepEqual(await state.requests.begin(named, "approve x"), { kind: "new" });
});

test("an id stands for one thing in its session: another request under it, or words, are told so", async () => {
  await using state = await openSampleState(folder());
  await state.requests.begin(named, "undo");
  assert.deepEqual(await state.requests.begin(named, "rollback"), { kind: "taken" });
  assert.deepEqual(await state.requests.begin({ ...named, session: "s2" }, "rollback"), { kind: "new" });
  await state.accept(sampleSignal({ session: "s1", clientId: "words" }), 50);
  assert.deepEqual(await state.requests.begin({ session: "s1", client: "words" }, "undo"), { kind: "taken" });
});

test("a request is known for 30 days", async () => {
  const now = { at: noon };
  await using state = await openSampleState(folder(), { clock: () => now.at });
  await state.requests.begin(named, "undo");
  const other = { session: "s1", client: "c2" };
  // A day at a time: a clock that leaps is not believed at once.
  for (let day = 1; day < 30; day += 1) {
    now.at += 86_400_000;
    await state.requests.begin({ session: "s2", client: `c${day}` }, "undo");
  }
  now.at += 86_400_000;
  await state.requests.begin(other, "undo");
  assert.equal(await state.requests.has(named), true);
  now.at += 1;
  await state.requests.begin({ session: "s1", client: "c3" }, "undo");
  assert.deepEqual([await state.requests.has(named), await state.requests.has(other)], [false, true]);
});
