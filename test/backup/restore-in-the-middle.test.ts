import assert from "node:assert/strict";
import { test } from "node:test";
import { describeRestores, restoreInTheMiddle } from "./restore-in-the-middle.ts";

/** `npm run restores` makes 20. */
const backups = Number(process.env["RESTORES"] ?? 2);

test("what was under way when a backup was made is done once, whatever is restored, and no question of then is answered again", async (t) => {
  const report = await restoreInTheMiddle(t, { backups, seed: 7 });
  for (const line of describeRestores(report).split("\n")) t.diagnostic(line);
  assert.deepEqual(report.problems, []);
});
