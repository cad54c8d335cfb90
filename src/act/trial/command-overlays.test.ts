import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { openCommandOverlays } from "./command-overlays.ts";
import { rememberNothing } from "./workshop.fixture.ts";

test("overlays that did not work for a moment are tried again", async (context) => {
  const folder = await makeScratchFolder(context);
  const [state, usual] = [join(folder, "state"), join(folder, "usual")];
  writeFileSync(state, "A file in the place of the folder.");
  const overlays = openCommandOverlays(state, rememberNothing, { retryAfter: 1 });
  assert.match((await overlays.problem(folder)) ?? "", /EEXIST|ENOTDIR/);
  rmSync(state);
  const expected = await openCommandOverlays(usual, rememberNothing).problem(folder);
  for (let tries = 0; tries < 500 && (await overlays.problem(folder)) !== expected; tries += 1)
    await pause(10);
  assert.equal(await overlays.problem(folder), expected);
});

test("a workspace that is not there at the first look is looked at again", async (context) => {
  const folder = await makeScratchFolder(context);
  const workspace = join(folder, "unmounted");
  const overlays = openCommandOverlays(join(folder, "state"), rememberNothing);
  const expected = await overlays.problem(folder);
  await overlays.problem(workspace);
  mkdirSync(workspace);
  writeFileSync(join(workspace, "a"), "a");
  assert.equal(await overlays.problem(workspace), expected);
});

/** Runs a script of the shell for each session over an overlay of its own, and keeps all of them at once. */
async function keepAtOnce(folder: string, scripts: readonly string[]) {
  const [workspace, state] = [join(folder, "work"), join(folder, "state")];
  mkdirSync(workspace, { recursive: true });
  const overlays = openCommandOverlays(state, rememberNothing);
  await using stack = new AsyncDisposableStack();
  const opened = [];
  for (const script of scripts) {
    const overlay = await overlays.open(workspace);
    if (typeof overlay === "string") throw new Error(overlay);
    opened.push({ script, overlay: stack.use(overlay) });
  }
  for (const { script, overlay } of opened) {
    const [program = "", ...enter] = overlay.enter;
    execFileSync(program, [...enter, "/bin/sh", "-ec", script], { cwd: "/", env: { WORK: workspace } });
  }
  const keep = opened.map(({ overlay }, index) =>
    overlays.keep(overlay, { turn: `t${index}`, session: `s${index}` }),
  );
  const kept = await Promise.all(keep);
  return {
    workspace,
    conflicts: kept.map((each) => each.conflicts),
    notes: kept.flatMap((each) => each.notes),
  };
}

test("where two commands change one file at once, the first to be kept stays, and the other one is told", async (context) => {
  const folder = await makeScratchFolder(context);
  for (let round = 0; round < 5; round += 1) {
    const { workspace, conflicts } = await keepAtOnce(
      folder,
      ["one", "two"].map((word) => `echo ${word} >> $WORK/f${round}`),
    );
    const text = readFileSync(join(workspace, `f${round}`), "utf8");
    const told = conflicts.map((each) => each.length);
    assert.deepEqual([text, told.toSorted()], [told[0] === 0 ? "one\n" : "two\n", [0, 1]]);
    assert.match(conflicts.flat().join(), /was changed by somebody else after the command began/);
  }
});

test("where two commands replace one file that was there at once, the other one is told", async (context) => {
  const folder = await makeScratchFolder(context);
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "work/f"), "before\n");
  const { workspace, conflicts } = await keepAtOnce(folder, ["echo one >> $WORK/f", "echo two >> $WORK/f"]);
  const told = conflicts.map((each) => each.length);
  assert.deepEqual(told.toSorted(), [0, 1]);
  assert.equal(readFileSync(join(workspace, "f"), "utf8"), `before\n${told[0] === 0 ? "one" : "two"}\n`);
});

test("commands that change different files of one folder at once are all kept, without a conflict", async (context) => {
  const folder = await makeScratchFolder(context);
  mkdirSync(join(folder, "work/d/e"), { recursive: true });
  writeFileSync(join(folder, "work/d/old"), "old");
  const scripts = ["a", "b", "c"].map(
    (name) =>
      `cd $WORK; ls -R . >/dev/null; echo ${name} > ${name}; echo ${name} > d/${name}; mkdir d/e/${name}; ls -R . >/dev/null`,
  );
  const { workspace, conflicts } = await keepAtOnce(folder, [...scripts, "rm $WORK/d/old"]);
  assert.deepEqual(conflicts, [[], [], [], []]);
  assert.deepEqual(readdirSync(workspace, { recursive: true }).map(String).toSorted(), [
    "a",
    "b",
    "c",
    "d",
    "d/a",
    "d/b",
    "d/c",
    "d/e",
    "d/e/a",
    "d/e/b",
    "d/e/c",
  ]);
});

test("a command that changes a file with other names is told that these keep what was there before", async (context) => {
  const folder = await makeScratchFolder(context);
  const workspace = join(folder, "work");
  mkdirSync(workspace);
  for (const name of ["one", "whole"]) {
    writeFileSync(join(workspace, name), "before");
    linkSync(join(workspace, name), join(workspace, `${name}-2`));
  }
  const changed = "cd $WORK; echo more >> one; rm whole-2; echo more >> whole; ln whole whole-2";
  const { notes } = await keepAtOnce(folder, [changed]);
  assert.deepEqual(notes, [
    `The other names (hard links) of ${join(workspace, "one")} keep what was there before.`,
  ]);
  assert.equal(readFileSync(join(workspace, "one-2"), "utf8"), "before");
});
