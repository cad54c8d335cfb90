import assert from "node:assert/strict";
import { test } from "node:test";
import { describeKills, killWhileEditing } from "./kill.ts";

test("kill -9 during mixed edits leaves no file half-written, loses no acknowledged edit, and leaves the index as a rebuild makes it", async (t) => {
  const report = await killWhileEditing({ edits: 11, kills: 3, seed: 3 });
  for (const line of describeKills(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
  assert.ok(report.kills > 0, "no kill came in time");
});
