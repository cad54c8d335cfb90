import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { workshop } from "./workshop.fixture.ts";

test("an undo of what a command staged leaves the index as it is where it was committed since", async (context) => {
  for (const isFirst of [true, false]) {
    const { workspace, run, undo, set } = workshop(await makeScratchFolder(context));
    const git = (...words: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...words], {
        cwd: workspace,
        encoding: "utf8",
      });
    git("init", "-q");
    writeFileSync(join(workspace, "old"), "old\n");
    if (!isFirst) {
      git("add", "old");
      git("commit", "-qm", "one");
    }
    await run("cd $WORK; echo new > new; git add new");
    git("commit", "-qm", "two");
    const { conflicts } = await undo(set(), "undo");
    assert.match(
      conflicts.join(),
      /^\S+\/\.git\/index was committed since, so it was left as it is\. git reset makes it fit the branch/,
    );
    assert.equal(existsSync(join(workspace, "new")), false);
    assert.match(git("status", "--porcelain"), /^ D new$/m);
    // What nobody committed is taken out of the index again.
    writeFileSync(join(workspace, "old"), "changed\n");
    await run("cd $WORK; git add old");
    assert.deepEqual((await undo(set(), "undo-2")).conflicts, []);
    assert.match(git("status", "--porcelain"), isFirst ? /^\?\? old$/m : /^ M old$/m);
  }
});
