import assert from "node:assert/strict";
import { test } from "node:test";
import { wait } from "./wait.ts";

test("a wait for longer than a timer can last does not end at once, and ends when it is cancelled", async () => {
  const stop = new AbortController();
  const ended: number[] = [];
  const times = [2 ** 31, 1e12, Number.POSITIVE_INFINITY];
  const waits = times.map((time) => wait(time, stop.signal).then(() => ended.push(time)));
  await wait(50, stop.signal);
  assert.deepEqual(ended, []);
  stop.abort();
  await Promise.all(waits);
  await wait(1e12, stop.signal);
});
