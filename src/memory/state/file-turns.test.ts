import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openSampleState, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

async function say(state: State, text: string): Promise<string> {
  const { turn } = await state.accept(sampleSignal({ id: text, text }), 50);
  await state.commit({ turn: { ...turn, state: "answered", text: "Noted." } });
  return turn.id;
}

async function found(state: State, query: string): Promise<readonly string[]> {
  const entries = await state.sessionMemory.search(query, 10);
  return entries.filter(({ speaker }) => speaker === "owner").map(({ text }) => text);
}

test("a reader finds what was just said while the writer has not put it into the index", async () => {
  const place = join(root, "reader");
  await using writer = await openSampleState(place);
  await say(writer, "the kayak is in the shed");
  assert.deepEqual(await found(writer, "kayak"), ["the kayak is in the shed"]);
  const id = await say(writer, "the kayak is sold");
  await using reader = await openSampleState(place, { access: "read" });
  assert.deepEqual((await found(reader, "kayak")).toSorted(), [
    "the kayak is in the shed",
    "the kayak is sold",
  ]);
  assert.equal((await reader.sessionMemory.get(`${id}:1`))?.text, "the kayak is sold");
  assert.equal(await reader.sessionMemory.get(`${id}:9`), null);
});

test("what was said in many turns is found once each, however many wait for the index", async () => {
  await using state = await openSampleState(join(root, "many"));
  for (let count = 0; count < 40; count += 1) await say(state, `kayak number ${count}`);
  const all = await state.sessionMemory.search("kayak", 100);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  assert.equal(all.filter(({ speaker }) => speaker === "owner").length, 40);
});
