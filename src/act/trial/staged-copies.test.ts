import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { recoverSet } from "./recover-sets.ts";
import { folderOnOtherDisk, workshop } from "./workshop.fixture.ts";

const files = 40;

test("of many changes each tenth is told", async (context) => {
  const { run } = workshop(await makeScratchFolder(context));
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  await run("cd $WORK; i=0; while [ $i -lt 200 ]; do echo > $i; i=$((i+1)); done", { tell });
  assert.equal(told.length, 10);
  assert.equal(told[1], "Making what the command changed: 20 of 200.\n");
});

/** How many programs start while something is done. */
async function startedBy(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = (): void => {
    count += 1;
  };
  subscribe("child_process", add);
  await act().finally(() => unsubscribe("child_process", add));
  return count;
}

/** A workspace of many files on another disk than the state, and a script that changes all of them. */
async function manyFiles(context: TestContext) {
  const elsewhere = await folderOnOtherDisk(context);
  if (elsewhere === null) return null;
  const made = workshop(await makeScratchFolder(context), join(elsewhere, "work"));
  for (let index = 0; index < files; index += 1) {
    const folder = join(made.workspace, `d${index % 3}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `ä ${index}`);
    writeFileSync(path, `old ${index}`);
    chmodSync(path, index % 2 === 0 ? 0o640 : 0o755);
    utimesSync(path, index, 1_000_000_000 + index / 7);
  }
  writeFileSync(join(made.workspace, "large"), "x".repeat(2_000_000));
  const script =
    'cd "$WORK"; for f in d0/*; do echo new >> "$f"; chmod 600 "$f"; done; for f in d1/*; do rm "$f"; done; for f in d2/*; do mv "$f" "$f.moved"; done; echo y >> large; mkfifo pipe';
  return { ...made, script };
}

test("many files that a command changed on another disk are made there, undone and done again with a few programs in all", async (context) => {
  const made = await manyFiles(context);
  if (made === null) return;
  const { run, undo, set, state, listing, workspace, script } = made;
  const before = listing();
  let kept = 0;
  const meanwhile = (): void => subscribe("child_process", counted);
  const counted = (): void => {
    kept += 1;
  };
  assert.deepEqual((await run(script, { meanwhile })).conflicts, []);
  unsubscribe("child_process", counted);
  const after = listing();
  assert.notEqual(after, before);
  const asked = async (from: string, name: string): Promise<number> =>
    startedBy(async () => assert.deepEqual((await undo(from, name)).conflicts, []));
  const undone = await asked(set(), "undo");
  assert.equal(listing(), before);
  const redone = await asked(join(state, "undo"), "redo");
  assert.equal(listing(), after);
  for (const count of [kept, undone, redone]) assert.ok(count < files / 2, `${count} programs`);
  assert.deepEqual(readdirSync(workspace).toSorted(), ["d0", "d1", "d2", "large", "pipe"]);
  assert.ok(!existsSync(join(set(), "copies")));
});

test("what a kill leaves of many changes on another disk is taken back with a few programs, and no copy stays", async (context) => {
  const made = await manyFiles(context);
  if (made === null) return;
  const { run, set, listing, workspace, script } = made;
  const before = listing();
  class Killed extends Error {}
  let [left, programs] = [files - 5, 0];
  const after = async (): Promise<void> => {
    // A kill leaves what was copied beside.
    for (const folder of [join(workspace, ".passepartout-part-set-1"), join(set(), "copies")]) {
      mkdirSync(folder);
      writeFileSync(join(folder, "new-0"), "left");
    }
    programs = await startedBy(() =>
      recoverSet(set(), { isUndoMade: async () => false, dropCommand: async () => {} }),
    );
  };
  const step = (name: string): void => {
    if (name === "exchanged") left -= 1;
    if (left === 0) throw new Killed();
  };
  await assert.rejects(run(script, { step, after }), Killed);
  assert.equal(listing(), before);
  assert.ok(!existsSync(set()));
  assert.ok(programs < files / 2, `${programs} programs`);
});
