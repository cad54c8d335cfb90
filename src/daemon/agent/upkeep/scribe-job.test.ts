import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bottomLabel } from "../../../signal/label.ts";
import { makeScribe, type ScribeParts } from "./scribe-job.ts";

test("the scribe comes to what a person said, however much jobs said before it", async () => {
  const ofJobs = 12_000;
  const entryAt = (number: number) => ({
    number,
    id: `e${number}`,
    session: number <= ofJobs ? "watch" : "talk",
    turn: null,
    text: "",
    label: bottomLabel,
    at: null,
  });
  const kept: unknown[] = [];
  const state = {
    sessionMemory: {
      extent: async () => ({ last: ofJobs + 1 }),
      after: async (number: number, limit: number) =>
        Array.from({ length: Math.min(limit, ofJobs + 1 - number) }, (_, index) =>
          entryAt(number + 1 + index),
        ),
    },
    sessions: { get: async (id: string) => ({ name: id === "watch" ? "job watch" : null }) },
    scribe: {
      get: async () => ({ until: 0, day: "", from: 0 }),
      set: async (place: unknown) => kept.push(place),
    },
  };
  // Nothing of these entries is worth keeping, so that no other part is used.
  const policy = { config: { scribe: { hour: 21, most: 100 }, places: { notes: tmpdir() } } };
  const parts = { state, policy, clock: () => Date.UTC(2026, 4, 5, 22) } as unknown as ScribeParts;
  await makeScribe(parts).work(true);
  assert.equal(JSON.stringify(kept).match(/"until":(\d+)/)?.[1], String(ofJobs + 1));
});

test("the scribe makes no notes folder by itself", async () => {
  const looked: unknown[] = [];
  const state = { sessionMemory: { extent: async () => looked.push("said") } };
  const scribe = (notes: string) =>
    makeScribe({
      state,
      policy: { config: { scribe: { hour: 21, most: 100 }, places: { notes } } },
      clock: () => new Date(2026, 4, 5, 22).getTime(),
    } as unknown as ScribeParts);
  assert.equal(await scribe(join(tmpdir(), "no-such-notes-of-anybody")).work(false), null);
  assert.deepEqual(looked, []);
  await assert.rejects(scribe(tmpdir()).work(false));
  assert.deepEqual(looked, ["said"]);
});
