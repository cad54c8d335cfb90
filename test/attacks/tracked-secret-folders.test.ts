import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, outputOf, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import type { Outcome } from "../../src/signal/tool.ts";
import { court } from "./trial-court.ts";

function gitIn(cwd: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8" }).trim();
}

/** The lines must end, however many others run. */
const patient = { timeoutMilliseconds: 60_000 };

const secrets = ["part/.ssh/config", "part/.ssh/keys/old key", "part/.kube/config"];

/**
 * A repository with secret folders and plain files in a part of it, all committed, and one file changed
 * since.
 */
function makeRepository(root: string): void {
  for (const name of [...secrets, "part/a.txt", "part/sub/b.txt"]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${name}\n`);
  }
  writeFileSync(join(root, ".gitignore"), "out\n");
  gitIn(root, "init", "-q", "--initial-branch=garden");
  for (const [name, value] of [
    ["name", "Ada"],
    ["email", "ada@example.org"],
  ] as const)
    gitIn(root, "config", `user.${name}`, value);
  gitIn(root, "add", "-A");
  gitIn(root, "commit", "-qm", "one");
}

/** Asserts that a work tree and all that its repository keeps of it still has each secret file. */
function assertWhole(root: string, cmd: string, said: string): void {
  for (const name of secrets)
    assert.equal(readFileSync(join(root, name), "utf8"), `${name}\n`, `${cmd}: ${said}`);
  const kept = ["HEAD", ...(gitIn(root, "stash", "list") === "" ? [] : ["stash@{0}"])];
  for (const commit of kept) {
    const names = gitIn(root, "ls-tree", "-r", "-z", "--name-only", commit).split("\0");
    assert.deepEqual(
      secrets.filter((name) => !names.includes(name)),
      [],
      `${cmd} at ${commit}: ${said}`,
    );
  }
}

/** Commands that build a tree from the work tree, or compare with it. Each of them may fail. */
const line =
  "git status --porcelain; git add -A; git commit -qam two; git commit -qm two .; git stash; git clean -ffdx; git reset -q --hard; git stash pop";

async function assertKept(
  root: string,
  run: (line: string) => Promise<Outcome>,
  part = join(root, "part"),
): Promise<void> {
  writeFileSync(join(part, "a.txt"), "changed\n");
  const said = outputOf(await run(line));
  assertWhole(root, line, said);
  assert.match(said, /M (?:part\/)?a\.txt/, "the line ran");
  assert.doesNotMatch(said, /(?:\b|\\n)D +"?(?:part\/)?\.(?:ssh|kube)/);
  gitIn(root, "reset", "-q", "--hard");
}

test("no git command takes a secret folder that it cannot see for deleted, over a copy and without one", async (t) => {
  const made = await court(t, patient);
  if (made === null) return;
  const { workspace, sandbox } = made;
  makeRepository(workspace);
  await assertKept(workspace, made.approve);
  await assertKept(workspace, shellIn(workspace, { sandbox }).run);
});

test("no git command takes a secret folder for deleted where the root of the repository lies above the workspace, or the repository is elsewhere", async (t) => {
  const elsewhere = await makeScratchFolder(t);
  makeRepository(elsewhere);
  const above = await court(t, { ...patient, elsewhere, name: "part" });
  if (above === null) return;
  await assertKept(elsewhere, above.approve, above.workspace);
  const other = await makeScratchFolder(t);
  gitIn(elsewhere, "worktree", "add", "-q", "-b", "linked", join(other, "tree"));
  const linked = await court(t, { ...patient, elsewhere: other, name: "tree" });
  assert.ok(linked !== null);
  await assertKept(linked.workspace, linked.approve);
});

test("a line that makes an index anew takes no secret file out of it unless it names it, tried or approved", async (t) => {
  const made = await court(t, patient);
  if (made === null) return;
  const { workspace } = made;
  makeRepository(workspace);
  writeFileSync(made.path(".env"), "SECRET\n");
  gitIn(workspace, "add", "-A");
  gitIn(workspace, "commit", "-qm", "env");
  const anew = [
    "git rm -rq --cached . && git add -A && git commit -qm two",
    "sh -c 'rm .git/index; git add -A'",
  ];
  for (const cmd of anew) {
    assert.match(outputOf(await made.approve(cmd)), /taken .*\.env.* out of the repository/, cmd);
    const before = await made.prepare(cmd);
    assert.ok(before.ok && before.trial !== undefined);
    await before.trial(new AbortController().signal);
    const after = await made.prepare(cmd);
    assert.ok(!after.ok);
    assert.match(after.message, /part\/\.ssh\/config.* out of the repository/, cmd);
    assertWhole(workspace, cmd, "");
    assert.equal(gitIn(workspace, "status", "--porcelain"), "");
  }
  for (const [cmd, why] of [
    ["sh -c 'truncate -s 70000000 .git/index'", /too much .*\.git\/index has more than 64000000 bytes/],
    ["sh -c 'echo x > .git/index'", /too much .*\.git\/index cannot be read any more/],
  ] as const) {
    assert.match(outputOf(await made.approve(cmd)), why, cmd);
    assertWhole(workspace, cmd, "");
  }
  await made.approve("git reset -q HEAD~1");
  assert.equal(gitIn(workspace, "log", "-1", "--format=%s"), "one");
  gitIn(workspace, "reset", "-q", "ORIG_HEAD");
  await made.approve("git rm -q --cached .env && git commit -qm untracked");
  assert.equal(gitIn(workspace, "log", "-1", "--format=%s"), "untracked");
  assert.equal(readFileSync(made.path(".env"), "utf8"), "SECRET\n");
});

test("a new branch, a packed commit and a folder with an umlaut hide no secret file that a line takes out of an index", async (t) => {
  const made = await court(t, { ...patient, name: "gärten" });
  if (made === null) return;
  const { workspace } = made;
  makeRepository(workspace);
  writeFileSync(made.path(".env"), "SECRET\n");
  gitIn(workspace, "add", "-A");
  gitIn(workspace, "commit", "-qm", "env");
  gitIn(workspace, "worktree", "add", "-q", "-b", "linked", "Bäume");
  const anew = "git rm -rq --cached . && git add -A";
  for (const cmd of [
    `git checkout -q -b new; ${anew}`,
    `git checkout -q -b new && git pack-refs --all; ${anew}`,
    `git checkout -q -b new/one; ${anew} && git commit -qm two && git gc -q`,
    `cd Bäume && ${anew}`,
  ]) {
    assert.match(outputOf(await made.approve(cmd)), /taken .*\.env.* out of the repository/, cmd);
    assertWhole(workspace, cmd, "");
    assert.equal(gitIn(workspace, "branch", "--show-current"), "garden", cmd);
  }
  gitIn(workspace, "branch", "-q", "beside");
  gitIn(workspace, "commit", "-q", "--allow-empty", "-m", "three");
  for (const place of ["beside", "--detach beside"]) {
    const cmd = `git checkout -q ${place}; f=.en; git rm -q --cached "$f"v`;
    assert.match(outputOf(await made.approve(cmd)), /taken .*\.env out of the repository/, cmd);
    assert.equal(gitIn(workspace, "branch", "--show-current"), "garden", cmd);
  }
  await made.approve("git checkout -q beside");
  assert.equal(gitIn(workspace, "branch", "--show-current"), "beside");
  await made.approve("git gc -q && git reset -q HEAD~1");
  assert.equal(gitIn(workspace, "log", "-1", "--format=%s"), "one");
});

// Root may list every folder.
if (process.getuid?.() !== 0)
  test("what copies or packs a secret folder fails in words, and a backup of one is not emptied", async (t) => {
    const made = await court(t, patient);
    if (made === null) return;
    makeRepository(made.workspace);
    mkdirSync(made.path("out"));
    for (const cmd of ["tar -cf out/part.tar part", "cp -r part out/copy"])
      assert.match(outputOf(await made.approve(cmd)), /\.ssh[^"]*: Permission denied/, cmd);
  });
