import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../tools/shell/shell.fixture.ts";
import { findOutside, lookAtRepository } from "./git-repository.ts";

function git(cwd: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  execFileSync("git", [...who, ...args], { cwd, stdio: "pipe" });
}

/** A repository, a linked work tree of it, and a submodule in it, side by side in one folder. */
async function trees(t: TestContext) {
  const root = await makeScratchFolder(t);
  const [library, main, tree] = [join(root, "library"), join(root, "main"), join(root, "tree")];
  for (const folder of [library, main]) {
    git(root, "init", "-q", folder);
    git(folder, "commit", "-q", "--allow-empty", "-m", "x");
  }
  git(main, "submodule", "--quiet", "add", library, "part");
  git(main, "worktree", "add", "-q", tree);
  return { main, tree, part: join(main, "part") };
}

const elsewhere = { doubt: "the repository is elsewhere (.git is not a folder)", outside: null, lenders: [] };

test("the repository of a work tree outside of the workspace is known where both name each other", async (t) => {
  const { main, tree, part } = await trees(t);
  mkdirSync(join(main, "sub"));
  assert.deepEqual(await lookAtRepository(tree, tree), {
    doubt: null,
    lenders: [],
    outside: { folder: join(main, ".git"), own: join(main, ".git/worktrees/tree"), workTree: tree },
  });
  const own = join(main, ".git/modules/part");
  assert.deepEqual(await findOutside(part, part), { folder: own, own, workTree: part });
  assert.equal(await findOutside(part, main), null);
  assert.deepEqual(await findOutside(join(main, "sub"), join(main, "sub")), {
    folder: join(main, ".git"),
    own: join(main, ".git"),
    workTree: main,
  });
  assert.equal(await findOutside(join(main, ".git/refs"), join(main, ".git/refs")), null);
  assert.deepEqual(await lookAtRepository(part, part), {
    doubt: null,
    lenders: [],
    outside: { folder: own, own, workTree: part },
  });
  assert.deepEqual(await lookAtRepository(part, main), { doubt: null, outside: null, lenders: [] });
});

/** What may stand in a workspace instead of the `.git` of its own work tree. */
const hostile: Readonly<Record<string, (place: { tree: string; main: string }) => void>> = {
  "the whole of another repository": ({ tree, main }) =>
    writeFileSync(join(tree, ".git"), `gitdir: ${join(main, ".git")}\n`),
  "the place of another work tree": ({ tree, main }) => {
    git(main, "worktree", "add", "-q", "../other");
    writeFileSync(join(tree, ".git"), `gitdir: ${join(main, ".git/worktrees/other")}\n`);
  },
  "a submodule of another work tree": ({ tree, main }) =>
    writeFileSync(join(tree, ".git"), `gitdir: ${join(main, ".git/modules/part")}\n`),
  "another repository by a link": ({ tree, main }) => {
    rmSync(join(tree, ".git"));
    symlinkSync(join(main, ".git"), join(tree, ".git"));
  },
  "a repository without a work tree": ({ tree, main }) => {
    git(main, "clone", "-q", "--bare", ".", "../bare");
    writeFileSync(join(tree, ".git"), "gitdir: ../bare\n");
  },
  "one that was made apart from another work tree, which it names": ({ tree, main }) => {
    git(main, "init", "-q", "--separate-git-dir=../apart", "../other");
    git(join(main, "../apart"), "config", "core.worktree", "../other");
    writeFileSync(join(tree, ".git"), "gitdir: ../apart\n");
  },
  "one that was made apart from another work tree, which holds all that it lists": ({ tree, main }) => {
    git(main, "init", "-q", "--separate-git-dir=../apart", "../other");
    writeFileSync(join(main, "../other/listed"), "x");
    git(join(main, "../other"), "add", "listed");
    writeFileSync(join(tree, ".git"), "gitdir: ../apart\n");
  },
  "a link to a link": ({ tree, main }) => {
    git(main, "init", "-q", "--separate-git-dir=../apart", "../other");
    symlinkSync("../apart", join(tree, "way"));
    rmSync(join(tree, ".git"));
    symlinkSync("way", join(tree, ".git"));
  },
  "a folder with keys": ({ tree, main }) => {
    mkdirSync(join(main, ".ssh"));
    writeFileSync(join(tree, ".git"), `gitdir: ${join(main, ".ssh")}\n`);
  },
  "a link to the pointer": ({ tree }) => {
    renameSync(join(tree, ".git"), join(tree, "pointer"));
    symlinkSync("pointer", join(tree, ".git"));
  },
  "a pipe": ({ tree }) => {
    rmSync(join(tree, ".git"));
    execFileSync("mkfifo", [join(tree, ".git")]);
  },
  "a way through a link": ({ tree, main }) => {
    symlinkSync(join(main, ".git/worktrees/tree"), join(tree, "way"));
    writeFileSync(join(tree, ".git"), "gitdir: way\n");
  },
  "a way that leaves a link": ({ tree, main }) => {
    symlinkSync(main, join(tree, "way"));
    writeFileSync(join(tree, ".git"), `gitdir: way/../${join("..", main, ".git/worktrees/tree")}\n`);
  },
  "two lines": ({ tree, main }) =>
    writeFileSync(join(tree, ".git"), `gitdir: ${join(main, ".git/worktrees/tree")}\ngitdir: /x\n`),
  "a part of a folder with a tab in its name": ({ main }) =>
    writeFileSync(join(main, ".git/worktrees/tree/commondir"), "../..\t\n"),
};

for (const [what, place] of Object.entries(hostile)) {
  test(`a .git file gives nothing where it is or names ${what}`, async (t) => {
    const { main, tree } = await trees(t);
    place({ tree, main });
    assert.deepEqual(await lookAtRepository(tree, tree), elsewhere);
    assert.equal(await findOutside(tree, tree), null);
  });
}

test("a repository that was made apart counts in the folder that holds something of what it lists", async (t) => {
  const { main } = await trees(t);
  git(main, "init", "-q", "--separate-git-dir=../apart", "../other");
  const other = join(main, "../other");
  const isKnown = async () => (await findOutside(other, other)) !== null;
  assert.ok(await isKnown(), "nothing is listed yet");
  for (const name of ["one", "two"]) writeFileSync(join(other, name), name);
  git(other, "add", ".");
  rmSync(join(other, "one"));
  assert.ok(await isKnown());
  rmSync(join(other, "two"));
  assert.ok(!(await isKnown()));
});

test("a repository borrows from folders of objects, and from what those borrow from, and from nothing else", async (t) => {
  const { main } = await trees(t);
  const [first, second] = [join(main, "../first"), join(main, "../second")];
  git(main, "clone", "-q", "--shared", main, first);
  git(main, "clone", "-q", "--shared", first, second);
  const lenders = [join(first, ".git"), join(main, ".git")];
  const found = await lookAtRepository(second, second);
  assert.deepEqual(found, { doubt: null, outside: null, lenders });
  mkdirSync(join(main, ".ssh"));
  appendFileSync(join(first, ".git/objects/info/alternates"), `/gone/objects\n# x\n${join(main, ".ssh")}\n`);
  assert.match((await lookAtRepository(second, second)).doubt ?? "", /\.ssh is no folder of git's objects/);
});

test("the settings of a repository outside of the workspace are doubted like any other's", async (t) => {
  const { main, tree, part } = await trees(t);
  appendFileSync(join(main, ".git/worktrees/tree/config.worktree"), '[filter "x"]\n\tclean = touch y\n');
  assert.match((await lookAtRepository(tree, tree)).doubt ?? "", /unknown section \(filter\)/);
  appendFileSync(join(main, ".git/modules/part/config"), "[core]\n\tworktree = /elsewhere\n");
  assert.match((await lookAtRepository(part, part)).doubt ?? "", /name another place/);
});

test("git sees that a work tree outside of the workspace is there, also in the folder that -C names and behind another program", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const { main, tree } = await trees(t);
  const workspace = await makeScratchFolder(t);
  renameSync(main, join(workspace, "main"));
  git(join(workspace, "main"), "worktree", "repair", tree);
  const shell = shellIn(workspace, { sandbox });
  for (const program of ["git", "/usr/bin/git", "timeout 9 git", "env LANG=C git"]) {
    const said = outputOf(await shell.run(`${program} -C main worktree list --porcelain`));
    assert.match(said, new RegExp(`worktree ${tree}`), program);
    assert.doesNotMatch(said, /prunable/, program);
  }
});
