import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld } from "../agent-world.ts";

test("an undo and a redo that find all as it was say so, and claim nothing", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "made.txt", content: "made\n" }]),
    { text: "Written." },
  ]);
  await world.command(["ask", "--session", "work", "write it"]);
  rmSync(world.path("made.txt"));
  const undone = await world.command(["ask", "--session", "work", "/undo"]);
  assert.match(
    undone.out + undone.err,
    /Nothing had to be changed: everything is already as it was before\./,
  );
  const again = await world.command(["ask", "--session", "work", "/redo"]);
  assert.match(
    again.out + again.err,
    /^Nothing had to be changed: everything is already as it was before\.$/m,
  );
  assert.equal(existsSync(world.path("made.txt")), false);
});
