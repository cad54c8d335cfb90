import assert from "node:assert/strict";
import { test } from "node:test";
import { describeReport, runKills, runningStates } from "./run-kills.ts";

test("after kill -9 while a turn goes on nothing is lost, nothing runs twice, and nothing happened unjournalled", async (t) => {
  const report = await runKills(
    { runs: 9, fewest: 5, seed: 7, states: runningStates, least: 1, freeEvery: 5 },
    (line) => t.diagnostic(line),
  );
  for (const line of describeReport(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
});
