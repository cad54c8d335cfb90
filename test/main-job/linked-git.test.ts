import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld } from "../agent-world.ts";

function git(cwd: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...who, "-c", "protocol.file.allow=always", ...args], {
    cwd,
    encoding: "utf8",
  }).trim();
}

function begin(folder: string, branch: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", `--initial-branch=${branch}`);
  writeFileSync(join(folder, "plan.txt"), "roses\n");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message=Begin");
}

/** Work trees in a workspace whose `.git` is a file, each on the branch `tulips`. */
const linked: readonly {
  readonly what: string;
  readonly folder: string;
  make: (workspace: string) => void;
}[] = [
  {
    what: "a linked work tree beside its repository",
    folder: "tree",
    make: (workspace) => {
      begin(join(workspace, "main"), "garden");
      git(join(workspace, "main"), "worktree", "add", "--quiet", "-b", "tulips", "../tree");
    },
  },
  {
    what: "a linked work tree in its repository",
    folder: "tree",
    make: (workspace) => {
      begin(workspace, "garden");
      git(workspace, "worktree", "add", "--quiet", "-b", "tulips", "tree");
    },
  },
  {
    what: "a submodule",
    folder: "parts/library",
    make: (workspace) => {
      begin(join(workspace, "..", "library"), "tulips");
      begin(workspace, "garden");
      git(workspace, "submodule", "--quiet", "add", join(workspace, "..", "library"), "parts/library");
      git(workspace, "commit", "--quiet", "--message=Add the library");
    },
  },
];

for (const { what, folder, make } of linked) {
  test(`${what}: status, log and diff show, and a commit on its own branch needs no question and is undone`, async (t) => {
    const commands = ["status", "log -p", "diff", "commit --all --message=Tulips"];
    const steps = commands.map((words) => calls(["shell", { cmd: `git -C ${folder} ${words}` }]));
    const world = await makeWorld(t, [...steps, { text: "That was all." }], { TRIALS: "true" });
    writeFileSync(join(world.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@home.example\n");
    make(world.workspace);
    const tree = join(world.workspace, folder);
    writeFileSync(join(tree, "plan.txt"), "roses and tulips\n");
    const { code, out, err } = await world.command(["ask", "Commit this."]);
    assert.equal(code, 0, out + err);
    const sent = JSON.stringify(world.provider.requests.at(-1));
    for (const word of ["On branch tulips", "+roses", "+roses and tulips"])
      assert.ok(sent.includes(word), sent);
    assert.equal(git(tree, "log", "-1", "--format=%an <%ae> %s"), "Ada <ada@home.example> Tulips");
    const commit = git(tree, "rev-parse", "--short=7", "HEAD");
    assert.ok((out + err).includes(`tulips is at commit ${commit}`), out + err);
    git(tree, "branch", "keep");
    await assertCommitUndone(world, commit);
    assert.equal(git(tree, "log", "-1", "--format=%s"), "Begin");
    assert.equal(git(tree, "log", "-1", "--format=%s", "keep"), "Tulips");
    assert.equal(git(tree, "fsck", "--strict", "--no-dangling"), "");
    assert.equal(git(tree, "status", "--short"), "M plan.txt");
  });
}

/** Undoes a commit: the reply names it, and none of the files in which git keeps it. */
async function assertCommitUndone(world: AgentWorld, commit: string): Promise<void> {
  const { code, out, err } = await world.command(["ask", "--continue", "/undo"]);
  assert.equal(code, 0, err);
  assert.match(out + err, new RegExp(`The commit ${commit} \\(Tulips\\) is taken back\\.`));
  assert.match(out + err, /: tulips is at commit [0-9a-f]{7}/);
  assert.doesNotMatch(out + err, /COMMIT_EDITMSG|logs\/|index|refs\//);
}

/** Workspaces whose repository lies outside of them, and where. */
const outside: readonly {
  readonly what: string;
  readonly repository: string;
  make: (workspace: string, beside: string) => void;
}[] = [
  {
    what: "a linked work tree whose repository is outside of the workspace",
    repository: "main/.git",
    make: (workspace, beside) => {
      begin(join(beside, "main"), "garden");
      git(join(beside, "main"), "worktree", "add", "--quiet", "-b", "tulips", workspace);
    },
  },
  {
    what: "a submodule that is the workspace",
    repository: ".git/modules/work",
    make: (workspace, beside) => {
      begin(join(beside, "library"), "tulips");
      git(beside, "init", "--quiet");
      git(beside, "submodule", "--quiet", "add", join(beside, "library"), relative(beside, workspace));
    },
  },
  {
    what: "a work tree whose repository was made apart and names it",
    repository: "apart",
    make: (workspace, beside) => {
      beginApart(workspace, beside);
      git(workspace, "config", "core.worktree", workspace);
    },
  },
  {
    what: "a work tree whose repository was made apart and does not name it",
    repository: "apart",
    make: beginApart,
  },
  {
    what: "a work tree whose .git is a link",
    repository: "store/.git",
    make: (workspace, beside) => {
      begin(workspace, "tulips");
      mkdirSync(join(beside, "store"));
      renameSync(join(workspace, ".git"), join(beside, "store/.git"));
      symlinkSync(join(beside, "store/.git"), join(workspace, ".git"));
    },
  },
];

/** A clone that borrows the objects of another repository. */
const borrowing: (typeof outside)[number] = {
  what: "a clone that borrows its objects",
  repository: "main/.git",
  make: (workspace, beside) => {
    begin(join(beside, "main"), "tulips");
    git(beside, "clone", "--quiet", "--shared", "main", workspace);
  },
};

/** A workspace whose repository was made apart from it, and does not name it. */
function beginApart(workspace: string, beside: string): void {
  begin(workspace, "tulips");
  git(workspace, "init", "--quiet", `--separate-git-dir=${join(beside, "apart")}`);
}

for (const { what, repository, make } of [...outside, borrowing]) {
  test(`${what}: status, log and diff ask to read the repository, and then show`, async (t) => {
    const cmd = "git status && git log -p && git diff";
    const steps = [calls(["shell", { cmd }]), { text: "That was all." }];
    const world = await makeWorld(t, steps, { TRIALS: "true" });
    rmSync(world.workspace, { recursive: true });
    make(world.workspace, dirname(world.workspace));
    writeFileSync(join(world.workspace, "plan.txt"), "roses and tulips\n");
    const { code, err } = await world.command(["ask", "Look at this."]);
    assert.equal(code, 4, err);
    const reads = err.split("\n").filter((row) => row.includes(`/${repository} and below`));
    assert.equal(reads.filter((row) => row.startsWith("  - ")).length, 1, err);
    assert.ok(err.includes("keep it from starting other programs") && !err.includes("--no-pager"), err);
    const [, token = ""] = /Yes: passepartout (approve \S+)/.exec(err) ?? [];
    const answered = await world.command(["ask", "--continue", `/${token}`]);
    assert.equal(answered.code, 0, answered.err);
    const sent = JSON.stringify(world.provider.requests.at(-1));
    for (const word of ["On branch tulips", "+roses", "+roses and tulips"])
      assert.ok(sent.includes(word), sent);
  });
}

/** A workspace that is a part of a work tree. */
const part: (typeof outside)[number] = {
  what: "a folder of a work tree that is the workspace",
  repository: ".git",
  make: (workspace, beside) => {
    git(beside, "init", "--quiet", "--initial-branch=tulips");
    mkdirSync(workspace);
    writeFileSync(join(workspace, "plan.txt"), "roses\n");
    writeFileSync(join(beside, "other.txt"), "oaks\n");
    git(beside, "add", "other.txt", join(workspace, "plan.txt"));
    git(beside, "commit", "--quiet", "--message=Begin");
  },
};

/** A world whose workspace has its repository outside of it, and a model that proposes one command. */
async function outsideWorld(t: TestContext, { make }: (typeof outside)[number], cmd: string) {
  const steps = [calls(["shell", { cmd }]), { text: "That was all." }];
  const world = await makeWorld(t, steps, { TRIALS: "true" });
  writeFileSync(join(world.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@home.example\n");
  rmSync(world.workspace, { recursive: true });
  make(world.workspace, dirname(world.workspace));
  writeFileSync(join(world.workspace, "plan.txt"), "roses and tulips\n");
  return world;
}

type World = Awaited<ReturnType<typeof outsideWorld>>;

/**
 * Asks for the command, answers its question with yes, and gives the question and what the model then gets.
 */
async function allow(world: World) {
  const { code, err } = await world.command(["ask", "Go on."]);
  assert.equal(code, 4, err);
  const [, token = ""] = /Yes: passepartout (approve \S+)/.exec(err) ?? [];
  const answered = await world.command(["ask", "--continue", `/${token}`]);
  assert.equal(answered.code, 0, answered.err);
  return {
    question: err,
    told: answered.out + answered.err,
    sent: JSON.stringify(world.provider.requests.at(-1)),
  };
}

for (const layout of [...outside, part, borrowing]) {
  test(`${layout.what}: a commit asks, says what it changes, is made with the owner's name, and is undone`, async (t) => {
    const cmd = "git add plan.txt && git commit --quiet --message=Tulips";
    const world = await outsideWorld(t, layout, cmd);
    const { question, sent, told } = await allow(world);
    const repository = join(dirname(world.workspace), layout.repository);
    const what =
      layout === borrowing ? `read the contents of ${repository}` : `change files in ${repository} (`;
    assert.ok(question.includes(what), question);
    assert.equal(
      git(world.workspace, "log", "-1", "--format=%an <%ae> %s"),
      "Ada <ada@home.example> Tulips",
      sent,
    );
    assert.equal(git(world.workspace, "status", "--short", "--untracked-files=no", "."), "");
    assert.equal(git(world.workspace, "fsck", "--connectivity-only"), "");
    git(world.workspace, "branch", "keep");
    const commit = git(world.workspace, "rev-parse", "--short=7", "HEAD");
    assert.ok(told.includes(`tulips is at commit ${commit}`), told);
    await assertCommitUndone(world, commit);
    assert.equal(git(world.workspace, "log", "-1", "--format=%s"), "Begin");
    assert.equal(git(world.workspace, "log", "-1", "--format=%s", "keep"), "Tulips");
    assert.equal(git(world.workspace, "fsck", "--strict", "--no-dangling"), "");
    assert.equal(git(world.workspace, "status", "--short", "--untracked-files=no", "."), "M plan.txt");
  });
}

for (const [how, gather] of [
  ["", []],
  [" in a pack", ["gc", "--quiet"]],
] as const) {
  test(`a commit in a linked work tree is made where its repository has an object of it already${how}`, async (t) => {
    const [layout] = outside;
    assert.ok(layout !== undefined);
    const world = await outsideWorld(t, layout, "git add --all && git commit --quiet --message=Tulips");
    writeFileSync(join(world.workspace, "copy.txt"), "roses\n");
    if (gather.length > 0) git(world.workspace, ...gather);
    const { sent } = await allow(world);
    assert.equal(git(world.workspace, "log", "-1", "--format=%s"), "Tulips", sent);
    assert.equal(git(world.workspace, "status", "--short"), "");
  });
}

test("settings of a repository outside of the workspace that may run a program are named in the question, and a yes lets git work", async (t) => {
  const [layout] = outside;
  assert.ok(layout !== undefined);
  const world = await outsideWorld(t, layout, "git status");
  const settings = join(dirname(world.workspace), layout.repository, "config");
  appendFileSync(settings, '[filter "lfs"]\n\tclean = cat\n');
  const { question, sent } = await allow(world);
  assert.match(question, /the settings of the repository have an unknown section \(filter\)/);
  assert.ok(sent.includes("On branch tulips"), sent);
});

test("what git does not see of a repository is said, and what the owner can do", async (t) => {
  const ofAnother = (workspace: string, beside: string) => {
    begin(join(beside, "main"), "tulips");
    git(beside, "clone", "--quiet", "main", workspace);
    rmSync(join(workspace, ".git"), { recursive: true });
    symlinkSync(join(beside, "main/.git"), join(workspace, ".git"));
  };
  for (const [make, cmd, told] of [
    [
      ofAnother,
      "git status",
      /is not in the workspace.*the owner runs git config core\.worktree FOLDER once/,
    ],
    [borrowing.make, "sh look.sh", /is not damaged: it borrows objects.*the line itself starts/],
  ] as const) {
    const world = await outsideWorld(t, { what: "", repository: "", make }, cmd);
    writeFileSync(join(world.workspace, "look.sh"), "git status\n");
    const { code, err } = await world.command(["ask", "Go on."]);
    assert.equal(code, 0, err);
    assert.match(JSON.stringify(world.provider.requests.at(-1)), told);
  }
});

test("git sees that the work trees outside of the workspace are there: it calls none prunable, and deletes nothing of them", async (t) => {
  const commands = ["git worktree list", "git worktree prune && sh -c 'git gc --quiet --prune=now'"];
  const steps = [...commands.map((cmd) => calls(["shell", { cmd }])), { text: "That was all." }];
  const world = await makeWorld(t, steps, { TRIALS: "true" });
  const beside = dirname(world.workspace);
  begin(world.workspace, "garden");
  for (const name of ["there", "gone"])
    git(world.workspace, "worktree", "add", "--quiet", "-b", name, join(beside, name));
  rmSync(join(beside, "gone"), { recursive: true });
  let { code, err } = await world.command(["ask", "Put this in order."]);
  const listed = JSON.stringify(world.provider.requests[1]);
  assert.match(listed, /\[gone\] prunable/);
  assert.doesNotMatch(listed, /\[there\] prunable/);
  const [, token = ""] = /Yes: passepartout (approve \S+)/.exec(err) ?? [];
  if (code === 4) ({ code, err } = await world.command(["ask", "--continue", `/${token}`]));
  assert.equal(code, 0, err);
  assert.equal(git(join(beside, "there"), "status", "--short"), "");
  assert.doesNotMatch(
    git(world.workspace, "worktree", "list"),
    /gone/,
    JSON.stringify(world.provider.requests.at(-1)),
  );
});
