import assert from "node:assert/strict";
import { test } from "node:test";
import { executedLaterRule } from "./executed-later.ts";
import { executedLaterContents } from "./later-change.ts";

test("what git writes anew on a disk where all files are executable is data, and a program in its place is none", () => {
  const change = { held: ["0000 1111 Ada: one\n"], after: "0000 1111 Ada: one\n1111 2222 Ada: two\n" };
  for (const name of ["logs/HEAD", "logs/refs/heads/main", "COMMIT_EDITMSG", "index"]) {
    const path = `/home/ada/site/.git/${name}`;
    const rule = (more: object): string | null =>
      executedLaterContents({ path, ...change, isExecutable: true, ...more });
    assert.equal(rule({}), null, name);
    assert.match(rule({ after: "#!/bin/sh\nid\n" }) ?? "", /begins with #!/, name);
    for (const after of ["\x7fELF\x02", "MZ\x90"])
      assert.equal(rule({ after }), "the file is executable", name);
    assert.equal(rule({ held: [] }), "the file is executable", "one that is new");
    assert.equal(rule({ becomesExecutable: true }), "it becomes a program", name);
  }
  assert.equal(
    executedLaterContents({ path: "/home/ada/site/tool", ...change, isExecutable: true }),
    "the file is executable",
  );
});

test("what names a commit in a repository is data, and where it names a branch git writes that", () => {
  const names = ["ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE"];
  for (const name of [...names, "worktrees/w/MERGE_HEAD", "modules/m/AUTO_MERGE"]) {
    const rule = (after: string): string | null =>
      executedLaterContents({ path: `/home/ada/site/.git/${name}`, held: [], after, isExecutable: false });
    assert.equal(executedLaterRule(`/home/ada/site/.git/${name}`), null, name);
    assert.equal(rule(`${"0".repeat(40)}\n`), null, name);
    assert.equal(rule("ref: refs/heads/main\n"), "git writes what it names", name);
  }
  for (const name of ["MERGE_MSG", "MERGE_MODE", "SQUASH_MSG", "COMMIT_EDITMSG"])
    assert.equal(executedLaterRule(`/home/ada/site/.git/${name}`), null, name);
  for (const name of ["rebase-merge/git-rebase-todo", "HEAD", "config", "MERGE_HEAD/x", "hooks/MERGE_HEAD"])
    assert.notEqual(executedLaterRule(`/home/ada/site/.git/${name}`), null, name);
});
