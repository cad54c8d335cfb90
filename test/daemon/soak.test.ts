import assert from "node:assert/strict";
import { test } from "node:test";
import { describeSoak, soak } from "./soak.ts";

test("clients that talk without a pause, a provider that fails, kills and restarts: nothing is lost, and the journal verifies and replays", async (t) => {
  const report = await soak({ seconds: 10, restartEvery: 3, clients: 4 }, (line) => t.diagnostic(line));
  for (const line of describeSoak(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
  assert.ok(report.kills > 0 && report.restarts > 0 && report.turns > 0);
});
