import assert from "node:assert/strict";
import { test } from "node:test";
import { openBeats } from "./beats.ts";

test("the next heartbeat is an interval after the last, the first an interval after the start", async () => {
  const time = { now: 1000 };
  const beats = openBeats(
    () => 60_000,
    () => time.now,
    async () => undefined,
  );
  assert.equal(beats.next(), null);
  beats.start();
  time.now = 21_000;
  assert.deepEqual([beats.last(), beats.next()], [null, 61_000]);
  time.now = 61_000;
  await beats.beat();
  time.now = 70_000;
  assert.deepEqual([beats.last(), beats.next()], [61_000, 121_000]);
});
