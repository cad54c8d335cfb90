import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { isOwnBranch } from "./own-branch.ts";

const commit = `${"a".repeat(40)}\n`;

/** A folder with a repository on the branch `garden`, and with more files. */
async function workspaceWith(t: TestContext, files: (workspace: string) => Readonly<Record<string, string>>) {
  const workspace = await makeScratchFolder(t);
  const all = { ".git/HEAD": "ref: refs/heads/garden\n", ...files(workspace) };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  return (branch: string, becomes = commit) =>
    isOwnBranch(join(workspace, ".git", branch), { commit: becomes, workspace });
}

/** What belongs to a linked work tree on the branch `tulips`, and its `.git`. */
const linked = (pointer: string, back: string) => ({
  ".git/worktrees/tree/HEAD": "ref: refs/heads/tulips\n",
  ".git/worktrees/tree/gitdir": `${pointer}\n`,
  "tree/.git": `gitdir: ${back}\n`,
});

test("the branch of the repository, of a submodule and of a linked work tree of the workspace is its own", async (t) => {
  const isOwn = await workspaceWith(t, (workspace) => ({
    ".git/modules/parts/refs/heads/x/HEAD": "ref: refs/heads/lib\n",
    ...linked(`${workspace}/tree/.git`, `${workspace}/.git/worktrees/tree`),
  }));
  const own = ["refs/heads/garden", "refs/heads/tulips", "modules/parts/refs/heads/x/refs/heads/lib"];
  assert.deepEqual(
    own.map((branch) => isOwn(branch)),
    [true, true, true],
  );
  const others = [
    "refs/heads/other",
    "refs/tags/garden",
    "modules/parts/refs/heads/lib",
    "x/refs/heads/garden",
  ];
  assert.deepEqual(
    others.map((branch) => isOwn(branch)),
    [false, false, false, false],
  );
  assert.equal(isOwn("refs/heads/garden", "ref: refs/heads/other\n"), false);
});

test("a branch and a linked work tree are its own in whatever letters they are named", async (t) => {
  const isOwn = await workspaceWith(t, (workspace) => ({
    ".git/HEAD": "ref: refs/heads/gärten\n",
    ".git/worktrees/tree/HEAD": "ref: refs/heads/tulips\n",
    ".git/worktrees/tree/gitdir": `${workspace}/bäume/.git\n`,
    "bäume/.git": `gitdir: ${workspace}/.git/worktrees/tree\n`,
  }));
  assert.deepEqual(
    ["refs/heads/gärten", "refs/heads/tulips"].map((branch) => isOwn(branch)),
    [true, true],
  );
});

test("where a commit is checked out and no branch, HEAD is its own; one that names a branch is not, nor one of a work tree elsewhere", async (t) => {
  const isOwn = await workspaceWith(t, (workspace) => ({
    "parts/.git/HEAD": commit,
    ".git/modules/lib/HEAD": commit,
    ".git/logs/HEAD": commit,
    ...linked(`${workspace}/tree/.git`, `${workspace}/.git/worktrees/tree`),
    ".git/worktrees/tree/HEAD": commit,
    ".git/worktrees/far/HEAD": commit,
    ".git/worktrees/far/gitdir": "/elsewhere/tree/.git\n",
  }));
  const heads = ["../parts/.git/HEAD", "modules/lib/HEAD", "worktrees/tree/HEAD"];
  for (const head of heads) assert.equal(isOwn(head, commit.replaceAll("a", "b")), true, head);
  for (const head of ["HEAD", "logs/HEAD", "worktrees/far/HEAD"])
    assert.equal(isOwn(head, commit.replaceAll("a", "b")), false, head);
  assert.equal(isOwn("modules/lib/HEAD", "ref: refs/heads/other\n"), false);
});

test("the branch of a work tree that lies elsewhere, or that does not name its repository, is another one", async (t) => {
  const elsewhere = await workspaceWith(t, (workspace) =>
    linked("/elsewhere/tree/.git", `${workspace}/.git/worktrees/tree`),
  );
  assert.equal(elsewhere("refs/heads/tulips"), false);
  const notBack = await workspaceWith(t, (workspace) => linked(`${workspace}/tree/.git`, "/elsewhere"));
  assert.equal(notBack("refs/heads/tulips"), false);
});

test("a link in the place of a HEAD, or of the work trees, makes no branch its own", async (t) => {
  const folder = await makeScratchFolder(t);
  mkdirSync(join(folder, "w/.git"), { recursive: true });
  mkdirSync(join(folder, "trees/tree"), { recursive: true });
  writeFileSync(join(folder, "trees/tree/HEAD"), "ref: refs/heads/x\n");
  symlinkSync("../../trees", join(folder, "w/.git/worktrees"));
  symlinkSync("../../trees/tree/HEAD", join(folder, "w/.git/HEAD"));
  const target = join(folder, "w/.git/refs/heads/x");
  assert.equal(isOwnBranch(target, { commit, workspace: join(folder, "w") }), false);
});
