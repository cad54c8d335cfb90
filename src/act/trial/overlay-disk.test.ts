import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { recoverSets } from "./recover-sets.ts";
import { plant, workshop } from "./workshop.fixture.ts";

const sh = (script: string, WORK: string): Buffer =>
  execFileSync("/bin/sh", ["-ec", script], { env: { WORK } });

/** Only root may mount. */
if (process.getuid?.() === 0)
  test("a folder that its disk lets nobody rename, as one of a lower layer of overlayfs, is deleted, moved and brought back all the same", async (context) => {
    const root = await makeScratchFolder(context);
    for (const name of ["lower", "upper", "own", "all"]) mkdirSync(join(root, name));
    mkdirSync(join(root, "lower/work"));
    sh(`${plant}; rm d/hard`, join(root, "lower/work"));
    const mount = "cd $WORK; mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=own all 2>&1";
    if (spawnSync("/bin/sh", ["-ec", mount], { env: { WORK: root } }).status !== 0)
      return context.skip("this root may not mount, as that of a container");
    using _ = { [Symbol.dispose]: () => sh("umount $WORK/all", root) };
    const { workspace, run, undo, set, state, listing } = workshop(root, join(root, "all/work"));
    const before = listing();
    assert.deepEqual((await run("cd $WORK; rm -r a*; mkdir new; mv d new/")).conflicts, []);
    assert.deepEqual(
      [existsSync(join(workspace, "d")), existsSync(join(workspace, "new/d/e/two"))],
      [false, true],
    );
    const after = listing();
    assert.deepEqual((await undo(set(), "undo")).conflicts, []);
    assert.equal(listing(), before);
    assert.deepEqual((await undo(join(state, "undo"), "redo")).conflicts, []);
    assert.equal(listing(), after);
  });

for (const [cut, script] of [
  ["before", "cd $WORK; cp -a state/set-1/0 work/d"],
  ["during", "cd $WORK; cp -a state/set-1/0 work/d; chmod u+w work/d/e; rm work/d/e/two work/d/one"],
] as const)
  test(`a folder that was copied aside comes back where a kill came ${cut} its removal`, async (context) => {
    const root = await makeScratchFolder(context);
    const { workspace, run, listing, state } = workshop(root);
    sh(`${plant}; rm d/hard`, workspace);
    const before = listing();
    const kill = (step: string): void => {
      if (step === "set aside") throw new Error("killed");
    };
    await run("rm -r $WORK/d", { step: kill }).catch(() => {});
    sh(script, root);
    const recovered = await recoverSets(state, {
      isUndoMade: async () => false,
      dropCommand: async () => {},
    });
    assert.deepEqual(
      recovered.map(({ isPartly }) => isPartly),
      [false],
      recovered[0]?.note,
    );
    assert.equal(listing(), before);
  });
