import assert from "node:assert/strict";
import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { folderOnOtherDisk, workshop } from "./workshop.fixture.ts";

const script = "cd $WORK; ln one three; echo new > b; ln b c; mkdir n; ln b n/d; echo more >> two; ln two e";

function inodesOf(workspace: string, names: readonly string[]): number {
  return new Set(names.map((name) => statSync(join(workspace, name)).ino)).size;
}

test("names that a command gave to one file are names of one file, on one disk and on two", async (context) => {
  const other = await folderOnOtherDisk(context);
  const root = await makeScratchFolder(context);
  for (const workspace of [join(root, "work"), ...(other === null ? [] : [join(other, "work")])]) {
    mkdirSync(workspace);
    for (const name of ["one", "two"]) writeFileSync(join(workspace, name), name);
    const { run, undo, set, listing } = workshop(root, workspace);
    const before = listing();
    assert.deepEqual((await run(script)).conflicts, []);
    for (const names of [
      ["one", "three"],
      ["b", "c", "n/d"],
      ["two", "e"],
    ])
      assert.equal(inodesOf(workspace, names), 1, names.join());
    assert.deepEqual((await undo(set(), `undo-${statSync(workspace).dev}`)).conflicts, []);
    const names = (text: string): string => text.replaceAll(/ \d+$/gm, "");
    assert.equal(names(listing()), names(before));
  }
});

test("a name that cannot become one of the same file is a copy, and that is told", async (context) => {
  const { workspace, run } = workshop(await makeScratchFolder(context));
  writeFileSync(join(workspace, "tool"), "x");
  const { conflicts } = await run("cd $WORK; ln tool other", {
    step(step) {
      if (step === "exchanged") utimesSync(join(workspace, "tool"), 1, 1);
    },
  });
  assert.match(conflicts.join(), /other is a copy of \S+\/tool and no hard link to it: they differ/);
  assert.equal(inodesOf(workspace, ["tool", "other"]), 2);
});
