import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";

test("on the main screen of a real terminal each thing stands once in its history, over a question, resizes and browsing", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(
    t,
    [
      calls(["edit-file", { path: "plan.txt", old: "Friday", new: "Saturday" }]),
      { text: Array.from({ length: 30 }, (_, line) => `Line ${line} of it.\n\n`) },
      calls(["write-file", { path: "../outside.txt", content: "made\n" }]),
      { text: "It is made." },
    ],
    { SCREEN: "main" },
  );
  writeFileSync(world.path("plan.txt"), "Water the roses on Friday.\n");
  await using terminal = await openTerminal(world, ["tui"], { columns: 80, rows: 24 });
  const resize = async (columns: number, rows: number, shown: RegExp): Promise<void> => {
    terminal.tmux("resize-window", "-x", String(columns), "-y", String(rows));
    await terminal.shows(shown);
  };
  await terminal.shows(/ok · loop/);
  terminal.type("move the roses");
  terminal.press("Enter");
  await terminal.shows(/Line 29 of it[\s\S]*↳/);
  terminal.type("and the other");
  terminal.press("Enter");
  await terminal.shows(/May I\?/);
  await resize(60, 50, /┌ May I\? ─{50}┐/);
  await resize(100, 30, /┌ May I\? ─{90}┐/);
  await terminal.shows(/or type to say something else/);
  terminal.type("y");
  await terminal.shows(/It is made\.[\s\S]*↳/);
  terminal.press("C-t");
  await terminal.shows(/Esc back/);
  terminal.press("Escape");
  await terminal.shows(/\? keys/);
  terminal.press("C-d");
  await terminal.shows(/left with 0/);
  const history = terminal.tmux("capture-pane", "-p", "-J", "-S", "-");
  const once = [
    "Works in ~/work",
    "› move the roses",
    "Edit plan.txt",
    "Line 0 of it",
    "Line 29 of it",
    "● Write",
    "It is made.",
  ];
  for (const words of once) assert.equal(history.split(words).length - 1, 1, `${words}:\n${history}`);
  for (const gone of ["? keys", "May I?", "End: to the end", "○ Write"])
    assert.ok(!history.includes(gone), `${gone}:\n${history}`);
  const bytes = terminal.rawBytes();
  assert.ok(!bytes.includes("\u001b[3J"));
});
