import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { openTerminal } from "../open-terminal.ts";

const columns = 80;
/** The question has the keyboard. */
const answerable = /or type to say something else/;

test("an hour in small: an edit is shown, a question is answered by a key, an undo takes back, and the answer stays", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "plan.txt", old: "Friday", new: "Saturday" }]),
    { text: ["Done: the roses are on ", "**Saturday** now."] },
    calls(["write-file", { path: "../outside.txt", content: "made\n" }]),
    { text: "It is made." },
    { text: "Hello.", repeat: true },
  ]);
  writeFileSync(world.path("plan.txt"), "Water the roses on Friday.\n");
  await using terminal = await openTerminal(world, ["tui"], { columns });
  await terminal.shows(/^ › *$/m);
  terminal.type("move the roses");
  terminal.press("Enter");
  await terminal.shows(/Edit plan\.txt +\+1 −1 · can be undone/);
  await terminal.shows(/│ \+ Water the roses on Saturday\./);
  await terminal.shows(/Done: the roses are on Saturday now\./);
  terminal.type("and make the other file");
  terminal.press("Enter");
  await terminal.shows(/May I\?[\s\S]*outside\.txt[\s\S]*y yes {3}n no/);
  await terminal.shows(answerable);
  terminal.type("y");
  await terminal.shows(/It is made\./);
  assert.equal(readFileSync(join(world.home, "outside.txt"), "utf8"), "made\n");
  terminal.type("/undo ");
  terminal.press("Enter");
  await terminal.shows(/↶ Write \S*outside\.txt +undone · \+1 −0[\s\S]*Undone\./);
  terminal.type("/redo ");
  terminal.press("Enter");
  await terminal.shows(/● Write \S*outside\.txt +\+1 −0[\s\S]*Done again\./);
  terminal.type("/undo ");
  terminal.press("Enter");
  await terminal.shows(/↶ Write \S*outside\.txt +undone · \+1 −0/);
  terminal.press("C-d");
  const left = await terminal.shows(/It is made\.\n+Go on with: [^\n]*(?:\n[^\n]+)?\n+left with 0/);
  const [, session = ""] = /passepartout --session\s+(\S+)/.exec(left) ?? [];
  // Another conversation of the folder began since.
  await world.command(["ask", "hello"]);
  await using again = await openTerminal(world, ["tui", "--session", session], { columns });
  await again.shows(/● Edit plan\.txt +\+1 −1$[\s\S]*↶ Write \S*outside\.txt +undone · \+1 −0$/m);
});

test("a daemon that is killed while a question is open comes back with the question, and the yes counts", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../outside.txt", content: "made\n" }]),
    { text: "It is made.", repeat: true },
  ]);
  const first = await startDaemon(t, world);
  await using terminal = await openTerminal(world, ["tui"], { columns });
  terminal.type("make it");
  terminal.press("Enter");
  await terminal.shows(/May I\?/);
  first.signal("SIGKILL");
  await terminal.shows(/daemon away · trying again/);
  await terminal.shows(/1 question waits.* ok *$/m);
  // The question of the new daemon takes the place of the old one, and a key that came just before is typing.
  for (let isMade = false; !isMade; ) {
    await terminal.shows(answerable);
    terminal.type("y");
    const screen = await terminal.shows(/It is made\.|^ › y/m);
    isMade = /It is made\./.test(screen);
    if (!isMade) terminal.press("BSpace");
  }
  const turns = onDatabase(world, "SELECT count(*) AS count FROM turns");
  assert.deepEqual(
    turns.map(({ count }) => count),
    [1],
  );
  terminal.press("C-d");
  await terminal.shows(/left with 0/);
});

test("Esc Esc takes words and a file back, /redo brings them again, and another session is opened with its past", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    { text: "Roses and tulips." },
    calls(["edit-file", { path: "plan.txt", old: "Friday", new: "Saturday" }]),
    { text: "Moved." },
  ]);
  writeFileSync(world.path("plan.txt"), "Water the roses on Friday.\n");
  await using terminal = await openTerminal(world, ["tui"], { columns });
  await terminal.shows(/^ › *$/m);
  const plan = (): string => readFileSync(world.path("plan.txt"), "utf8");
  const say = async (text: string, answer: RegExp): Promise<void> => {
    terminal.type(text);
    terminal.press("Enter");
    await terminal.shows(answer);
  };
  await say("what is there", /Roses and tulips\./);
  await say("move the roses", /Moved\./);
  terminal.press("Escape");
  await terminal.shows(/Esc again goes back/);
  terminal.press("Escape");
  await terminal.shows(/▌ move the roses +1 file · \d/);
  terminal.press("Enter");
  await terminal.shows(/words of 1 turn, and:[\s\S]*plan\.txt \(\+1 −1\)[\s\S]*b both/);
  // A key that comes with the preview may be a letter of the filter, and does nothing.
  await pause(400);
  terminal.type("b");
  await terminal.shows(/words of 1 turn are taken back\.[\s\S]* › move the roses/);
  assert.equal(plan(), "Water the roses on Friday.\n");
  assert.doesNotMatch(terminal.screen(), /Moved\./);
  terminal.press("C-u");
  await terminal.shows(/^ › *$/m);
  await say("/redo", /The words are back\./);
  await terminal.shows(/› move the roses\n[\s\S]*Moved\./);
  assert.equal(plan(), "Water the roses on Saturday.\n");
  terminal.press("F2");
  await terminal.shows(/▌ what is there .*this one/);
  terminal.type("nowhere");
  await terminal.shows(/filter: nowhere.* none has these words/);
  terminal.press("C-u");
  terminal.type("WHAT");
  await terminal.shows(/filter: WHAT.* 1 of 1\n.*▌ what is there/);
  terminal.press("C-f");
  await terminal.shows(/› what is there\n[\s\S]*Moved\.[\s\S]*^ › *$/m);
  terminal.press("C-d");
  await terminal.shows(/left with 0/);
});
