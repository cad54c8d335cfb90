import assert from "node:assert/strict";
import { test } from "node:test";
import { describeReport, runKills } from "../kill/run-kills.ts";
import { killDaemon } from "./kill-daemon.ts";

test("after kill -9 of the daemon under load nothing that a client saw acknowledged is lost, and nothing is answered or run twice", async (t) => {
  const report = await runKills({ runs: 14, seed: 11, least: 1 }, (line) => t.diagnostic(line), killDaemon);
  for (const line of describeReport(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
});
