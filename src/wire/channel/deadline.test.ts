import assert from "node:assert/strict";
import { test } from "node:test";
import { makeManualTime, realWait } from "../server/wire.fixture.ts";
import { Deadline } from "./deadline.ts";

test("a deadline expires when its time has passed, once, and not when it was cancelled before", async () => {
  const time = makeManualTime();
  const expired: string[] = [];
  const kept = new Deadline(time.wait, 1000, () => expired.push("kept"));
  const cancelled = new Deadline(time.wait, 1000, () => expired.push("cancelled"));
  kept.start();
  cancelled.start();
  await time.pass(999);
  assert.deepEqual(expired, []);
  cancelled.cancel();
  await time.pass(1);
  assert.deepEqual(expired, ["kept"]);
  await time.pass(5000);
  assert.deepEqual(expired, ["kept"]);
  assert.equal(time.running(), 0);
});

test("time for which the process was busy does not count: what waits to be read is read first", async () => {
  const expired: string[] = [];
  const deadline = new Deadline(realWait, 100, () => expired.push("expired"));
  deadline.start();
  const until = performance.now() + 300;
  while (performance.now() < until);
  // What the event loop reads after its timers arrives in a later turn of it.
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(() => setImmediate(resolve), 0);
  await promise;
  assert.deepEqual(expired, []);
  deadline.cancel();
});
