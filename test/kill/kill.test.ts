import assert from "node:assert/strict";
import { test } from "node:test";
import { describeReport, runKills } from "./run-kills.ts";

test("after kill -9 in any state of a turn nothing is lost, nothing runs twice, and nothing happened unjournalled", async (t) => {
  const report = await runKills({ runs: 18, seed: 7, least: 1 }, (line) => t.diagnostic(line));
  for (const line of describeReport(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
});
