import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { workshop } from "./workshop.fixture.ts";

/** A disk of Windows, whose files all have one mode, owner and group; null where none can be mounted. */
async function windowsDisk(context: TestContext, options: string) {
  if (!existsSync("/dev/fuse") || !existsSync("/usr/bin/ntfs-3g")) {
    context.skip("needs /dev/fuse and the package ntfs-3g");
    return null;
  }
  const root = await makeScratchFolder(context);
  const [image, disk] = [join(root, "image"), join(root, "disk")];
  mkdirSync(disk);
  writeFileSync(image, "");
  truncateSync(image, 20_000_000);
  execFileSync("/usr/sbin/mkntfs", ["-q", "-F", image], { stdio: "ignore" });
  execFileSync("/usr/bin/ntfs-3g", [image, disk, "-o", options]);
  const unmount = (): void => void execFileSync("/usr/bin/umount", ["--lazy", disk]);
  return { disk, [Symbol.dispose]: unmount };
}

// Ordinary users may not mount such a disk everywhere.
if (process.getuid?.() === 0)
  for (const owner of [0, 4242])
    test(`on a disk that keeps no modes and gives all files to user ${owner}, a command makes, moves and changes files, and these are undone and done again`, async (context) => {
      using made = await windowsDisk(context, `uid=${owner},gid=${owner},allow_other`);
      if (made === null) return;
      const { workspace, run, undo, set, state } = workshop(
        await makeScratchFolder(context),
        join(made.disk, "work"),
      );
      writeFileSync(join(workspace, "old"), "contents");
      writeFileSync(join(workspace, "edited"), "before");
      const held = (): string =>
        execFileSync("/bin/sh", ["-c", "find . -type f | sort | while read f; do echo $f; cat $f; done"], {
          cwd: workspace,
          encoding: "utf8",
        });
      const before = held();
      const script =
        "cd $WORK; umask 077; echo new > new.txt; mkdir d; mv old d/moved; echo after > edited; chmod 751 d";
      assert.deepEqual((await run(script)).conflicts, []);
      const after = held();
      assert.equal(readFileSync(join(workspace, "d/moved"), "utf8"), "contents");
      assert.deepEqual((await undo(set(), "undo")).conflicts, []);
      assert.equal(held(), before);
      assert.deepEqual((await undo(join(state, "undo"), "redo")).conflicts, []);
      assert.equal(held(), after);
      const left = execFileSync("find", [workspace, "-name", ".passepartout*"], { encoding: "utf8" });
      assert.equal(left, "");
    });
