import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { openTerminal } from "../open-terminal.ts";

test("words that are typed at once answer no question: not that of another session, and not the one in view", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../outside.txt", content: "made\n" }]),
    { text: "It is understood.", repeat: true },
  ]);
  await startDaemon(t, world);
  const open = (): string =>
    JSON.stringify(onDatabase(world, "SELECT DISTINCT state FROM approvals").map(({ state }) => state));
  await using first = await openTerminal(world, ["tui"], { columns: 80 });
  await first.shows(/^ › *$/m);
  first.type("make it");
  first.press("Enter");
  await first.shows(/or type to say something else/);
  await using second = await openTerminal(world, ["tui"], { columns: 80 });
  await second.shows(/1 question waits in another conversation: F2[\s\S]*^ › *$/m);
  second.type("clean up");
  await second.shows(/^ › clean up *$/m);
  first.type("yes, and tell me why");
  await first.shows(/Your keys go to the prompt below[\s\S]*^ › yes, and tell me why *$/m);
  assert.equal(open(), '["open"]');
  assert.equal(existsSync(join(world.home, "outside.txt")), false);
});
