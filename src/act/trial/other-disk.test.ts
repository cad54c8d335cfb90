import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { copyHeld, holdOwnPlace } from "./held-place.ts";
import { folderOnOtherDisk, plant, workshop } from "./workshop.fixture.ts";

/** Asserts that what a script changed is undone, done again and undone once more; leaves nothing to undo. */
async function assertThereAndBack(
  { undo, listing, set, state }: ReturnType<typeof workshop>,
  before: string,
  script: string,
): Promise<void> {
  const after = listing();
  assert.notEqual(after, before, script);
  for (const [from, name, there] of [
    [set(), "undo", before],
    [join(state, "undo"), "redo", after],
    [join(state, "redo"), "last", before],
  ] as const) {
    assert.deepEqual((await undo(from, name)).conflicts, [], script);
    assert.equal(listing(), there, script);
  }
  execFileSync("/bin/sh", ["-c", "chmod -R u+w .; rm -rf undo redo last"], { cwd: state });
}

test("what a command changed on another file system than the state is made there, undone and done again: modes, links, times and odd names", async (context) => {
  const elsewhere = await folderOnOtherDisk(context);
  if (elsewhere === null) return;
  const made = workshop(await makeScratchFolder(context), join(elsewhere, "work"));
  const { workspace, run, listing } = made;
  // A second name of a file cannot be kept where only a copy of the file is.
  execFileSync("/bin/sh", ["-ec", `${plant}; rm d/hard`], { env: { WORK: workspace } });
  execFileSync("/bin/sh", ["-ec", 'printf x > "$(printf "$WORK/d/odd\\\\351")"'], {
    env: { WORK: workspace },
  });
  const scripts = [
    "echo new > $WORK/new.txt",
    "rm -rf $WORK/d",
    "cd $WORK; rm file; ln -s /etc/passwd file; mv d/one d/moved; echo y > $(printf 'odd\\351')",
    "cd $WORK; chmod 755 d/e; rm -r d; mkdir -p d/p/q; echo > d/p/q/r; chmod 500 d/p",
  ];
  for (const script of scripts) {
    const before = listing();
    const kept = await run(script);
    assert.deepEqual(kept.conflicts, [], script);
    await assertThereAndBack(made, before, script);
    assert.deepEqual(
      readdirSync(workspace).filter((name) => name.startsWith(".passepartout")),
      [],
    );
  }
});

test("a file of megabytes that several commands change on another file system goes back through all its versions", async (context) => {
  const elsewhere = await folderOnOtherDisk(context);
  if (elsewhere === null) return;
  const made = workshop(await makeScratchFolder(context), join(elsewhere, "work"));
  const { workspace, run, undo, set } = made;
  const sets: { readonly version: string; readonly place: string }[] = [];
  const big = join(workspace, "big");
  writeFileSync(big, "0".repeat(3_000_000));
  for (const version of ["1", "2"]) {
    assert.deepEqual((await run(`yes ${version} | head -c 3000000 > $WORK/big`)).conflicts, []);
    sets.push({ version, place: set() });
  }
  for (const { version, place } of sets.toReversed()) {
    assert.deepEqual((await undo(place, `undone-${version}`)).conflicts, []);
    assert.equal(readFileSync(big, "utf8").at(0), String(Number(version) - 1));
  }
});

test("what a program of the system says of a copy that failed is told in our words, without names of the agent's own", async (context) => {
  const root = await makeScratchFolder(context);
  writeFileSync(join(root, "new"), "new");
  await using from = await holdOwnPlace(join(root, "new"));
  // Nobody makes a file there, root neither.
  await using to = await holdOwnPlace("/sys/kernel/.passepartout-part-plan.txt");
  const problem = await copyHeld(from, to);
  assert.match(problem ?? "", /^(permission denied\. Check|the file system is read-only\. Mount)/);
});

/** A folder that hands its group down, and in it folders that do not. */
const plantTeam =
  "cd $WORK; mkdir -p team/sub/in team/old; chmod 2755 team; chmod g-s team/sub team/sub/in team/old; echo b > team/sub/b";

for (const where of ["the disk of the state", "another disk"])
  test(`a folder that does not hand its group down stays so in one that does, on ${where}: removed, moved, undone and done again`, async (context) => {
    const other = where === "another disk" ? await folderOnOtherDisk(context) : undefined;
    if (other === null) return;
    const root = await makeScratchFolder(context);
    const made = workshop(root, join(other ?? root, "work"));
    const { workspace, run, listing } = made;
    execFileSync("/bin/sh", ["-ec", plantTeam], { env: { WORK: workspace } });
    const before = listing();
    const scripts = [
      "rm -r team/sub",
      "mv team/sub team/moved",
      "mkdir team/new; mv team/sub team/new",
      "rmdir team/old",
    ];
    for (const script of scripts) {
      assert.deepEqual((await run(`umask 022; cd $WORK; ${script}`)).conflicts, [], script);
      // What `mkdir` makes there hands its group down, as everywhere; what is moved is as it was.
      assert.deepEqual(
        listing().match(/.* d 2755/g),
        /mkdir/.test(script) ? ["./team d 2755", "./team/new d 2755"] : ["./team d 2755"],
      );
      await assertThereAndBack(made, before, script);
    }
  });
