import assert from "node:assert/strict";
import { test } from "node:test";
import { runChaos } from "./chaos.ts";

test("updates through kills, cuts, 409, 429, 502, duplicates and jumps of the clock: none is lost, and none doubled", async (t) => {
  const { problems, ...figures } = await runChaos(200, Number(process.env["SEED"] ?? 1));
  t.diagnostic(JSON.stringify(figures));
  assert.deepEqual(problems, []);
  assert.ok(figures.kills > 0 && figures.wrongs > 20 && figures.repeats > 0);
});
