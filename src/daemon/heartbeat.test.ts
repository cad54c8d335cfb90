import assert from "node:assert/strict";
import { test } from "node:test";
import { startHeartbeat } from "./heartbeat.ts";

test("one heartbeat at most is under way", async () => {
  const counts = { begun: 0, most: 0, under: 0 };
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const { stop } = startHeartbeat({
    interval: 1,
    beat: async () => {
      counts.begun += 1;
      counts.under += 1;
      counts.most = Math.max(counts.most, counts.under);
      await new Promise((next) => setTimeout(next, 20));
      counts.under -= 1;
      if (counts.begun === 3) resolve();
    },
    report: (message) => assert.fail(message),
  });
  await enough;
  stop();
  assert.equal(counts.most, 1);
});

test("a heartbeat that fails is reported, and the next one beats", async () => {
  const reports: string[] = [];
  const { promise: second, resolve } = Promise.withResolvers<void>();
  const beats = { count: 0 };
  const { stop } = startHeartbeat({
    interval: 1,
    beat: async () => {
      beats.count += 1;
      if (beats.count === 1) throw new Error("nothing is due today");
      resolve();
    },
    report: (message) => void reports.push(message),
  });
  await second;
  stop();
  assert.match(reports.join(), /A heartbeat failed: nothing is due today/);
});
