import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileDiff } from "../signal/file-diff.ts";
import { foldRepositories } from "./fold-repositories.ts";

const one = "1".repeat(40);
const two = `2a3b4c5${"0".repeat(33)}`;

function changed(path: string, diff = "", change: FileDiff["change"] = "replace"): FileDiff {
  return { path, change, diff, added: 1, removed: 1, left: 0 };
}

test("what a commit changes in its repository is one line that says where the branch is now", () => {
  const plan = changed("plan.txt");
  const folded = foldRepositories([
    plan,
    changed(".git/refs/heads/main", `@@ -1 +1 @@\n-${one}\n+${two}`),
    changed(".git/HEAD", "@@ -1 +1 @@\n-ref: refs/heads/old\n+ref: refs/heads/main"),
    changed(".git/index"),
    changed(".git/AUTO_MERGE"),
  ]);
  assert.deepEqual(folded, {
    files: [plan],
    repositories: [".git: main is at commit 2a3b4c5, now on main, 2 other records"],
  });
});

test("branches and tags that are made or deleted are named, in each repository", () => {
  const { repositories } = foldRepositories([
    changed("/a/.git/refs/heads/feat/x", `@@ -0,0 +1 @@\n+${two}`, "create"),
    changed("/a/.git/refs/tags/v1", `@@ -1 +0,0 @@\n-${one}`, "delete"),
    changed("/b/.git/index"),
  ]);
  assert.deepEqual(repositories, [
    "/a/.git: feat/x is at commit 2a3b4c5, tag v1 is deleted",
    "/b/.git: 1 record",
  ]);
});

test("a commit is named wherever the repository lies: of a submodule, of a linked work tree without a branch, or apart", () => {
  const { files, repositories } = foldRepositories([
    changed(".git/modules/parts/lib/refs/heads/main", `-${one}\n+${two}`),
    changed(".git/modules/parts/lib/index"),
    changed(".git/worktrees/tree/HEAD", `-${one}\n+${two}`),
    changed("/apart/refs/heads/feat/x", `+${two}`, "create"),
    changed("docs/refs/heads/plan.txt", "-one\n+two"),
  ]);
  assert.deepEqual(repositories, [
    ".git/modules/parts/lib: main is at commit 2a3b4c5, 1 other record",
    ".git/worktrees/tree: now at commit 2a3b4c5",
    "/apart: feat/x is at commit 2a3b4c5",
  ]);
  assert.deepEqual(
    files.map(({ path }) => path),
    ["docs/refs/heads/plan.txt"],
  );
});

test("a branch that was packed as it is is not told, and one that was taken out of the packed ones is deleted", () => {
  const loose = changed(".git/refs/heads/main", `@@ -1 +0,0 @@\n-${one}`, "delete");
  const told = (...diffs: readonly FileDiff[]) => foldRepositories(diffs).repositories;
  const packed = (diff: string, left = 0) => ({ ...changed(".git/packed-refs", diff), left });
  assert.deepEqual(told(loose, packed(`@@ -1 +1,2 @@\n # pack-refs\n+${one} refs/heads/main`)), [
    ".git: 2 records",
  ]);
  assert.deepEqual(told(loose, packed(`+${two} refs/heads/main`)), [
    ".git: main is at commit 2a3b4c5, 1 other record",
  ]);
  assert.deepEqual(told(loose, packed(`-${one} refs/heads/main`)), [".git: main is deleted, 1 other record"]);
  assert.deepEqual(told(loose, packed("")), [".git: main is packed or deleted, 1 other record"]);
  const gone = packed(
    `-${one} refs/heads/old\n-${one} refs/tags/v1\n-${one} refs/heads/on\n+${two} refs/heads/on`,
  );
  assert.deepEqual(told(gone), [".git: old is deleted, tag v1 is deleted, 1 other record"]);
});

test("what a rebase keeps while it waits is counted, and what it would run or be told by stays a file of its own", () => {
  const todo = ".git/rebase-merge/git-rebase-todo";
  const counted = [
    changed(".git/rebase-merge/onto", `@@ -0,0 +1 @@\n+${two}`, "create"),
    changed(todo, `@@ -0,0 +1,2 @@\n+pick ${two} exec nothing\n+# x, exec <command> = run command`, "create"),
    changed(".git/sequencer/todo", "@@ -1 +1 @@\n-exec make\n+pick 1", "create"),
    changed(".git/rebase-apply/patch"),
  ];
  assert.deepEqual(foldRepositories(counted), { files: [], repositories: [".git: 4 records"] });
  const own = [
    changed(todo, "@@ -0,0 +1,2 @@\n+pick 1\n+exec make", "create"),
    changed(todo, "@@ -0,0 +1 @@\n+\tx\tmake", "create"),
    changed(todo),
    { ...changed(todo, "@@ -0,0 +1 @@\n+pick 1", "create"), left: 1 },
    ...["rebase-merge/strategy", "sequencer/opts", "rebase-merge/gpg_sign_opt", "rebase-merge/hooks/x"].map(
      (name) => changed(`.git/${name}`),
    ),
  ];
  assert.deepEqual(foldRepositories(own), { files: own, repositories: [] });
});

test("what git or others execute or obey later stays a file of its own", () => {
  const obeyed = [".git/hooks/pre-commit", ".git/config"].map((path) => changed(path));
  assert.deepEqual(foldRepositories(obeyed), { files: obeyed, repositories: [] });
});
