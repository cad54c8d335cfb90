import assert from "node:assert/strict";
import { test } from "node:test";
import { describeReport, restingStates, runKills } from "../kill/run-kills.ts";
import { killDaemon } from "./kill-daemon.ts";

/** Milliseconds: with fewer turns less has to be held against the disk; `npm run kills:daemon` knows no rest. */
const rest = 300;

test("after kill -9 of the daemon under load, while a turn waits or has ended, nothing that a client saw acknowledged is lost, and nothing is answered or run twice", async (t) => {
  const report = await runKills(
    { runs: 7, fewest: 5, seed: 11, states: restingStates, least: 1, freeEvery: 10 },
    (line) => t.diagnostic(line),
    killDaemon(rest),
  );
  for (const line of describeReport(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
});
