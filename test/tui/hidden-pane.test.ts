import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";

/** Bytes of one frame of this size, with its colours. */
const frame = 6_000;
const line = "The roses are watered on Saturday, and the ferns on Sunday. ";

test("a window of tmux that nobody looks at gets one frame for a streamed answer: the one of its end", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const gate = Promise.withResolvers<void>();
  const pieces = Array.from({ length: 400 }, (_, index) => `${index} ${line}\n\n`);
  const world = await makeWorld(t, [{ text: pieces, pauseMs: 5, after: gate.promise }]);
  await using terminal = await openTerminal(world, ["tui"], { columns: 80, rows: 24 });
  await terminal.shows(/loop\/.* ok *$/m);
  const [pane = ""] = terminal.tmux("display-message", "-p", "#{pane_id}").split("\n");
  // A client looks at the session: from a terminal of its own, which tmux is too.
  await using viewer = await openTerminal(world, [], {
    columns: 80,
    rows: 24,
    command: `env -u TMUX tmux -S ${terminal.socket} attach`,
  });
  await viewer.shows(/loop\/.* ok *$/m);
  terminal.type("water them");
  terminal.press("Enter");
  await terminal.shows(/Esc stops/);
  terminal.tmux("new-window", "sleep 600");
  // The seconds on the screen stand still once nothing is painted.
  const shown = (): string => terminal.tmux("capture-pane", "-p", "-t", pane);
  let before = "";
  for (let tries = 0; before !== shown(); tries += 1) {
    assert.ok(tries < 10, "a window that nobody looks at is painted each second");
    before = shown();
    await pause(2100);
  }
  const atRest = terminal.rawBytes().length;
  gate.resolve();
  while (!shown().includes("399 The roses")) await pause(50);
  const painted = terminal.rawBytes().length - atRest;
  assert.ok(
    painted < frame,
    `${painted} bytes of a hidden window, for an answer of ${pieces.join("").length}`,
  );
  terminal.tmux("select-window", "-t", pane);
  await viewer.shows(/399 The roses/);
});
