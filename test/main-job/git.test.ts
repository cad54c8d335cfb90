import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, isMissing, makeWorld } from "../agent-world.ts";

/**
 * A world whose workspace is a repository with one commit, and whose owner has git settings with a secret in
 * them.
 */
async function gitWorld(t: TestContext, commands: readonly string[], key = "aaaabbbbccccdddd") {
  const steps = [...commands.map((cmd) => calls(["shell", { cmd }])), { text: "That was all." }];
  const world = await makeWorld(t, steps, { TRIALS: "true" });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: world.workspace,
      encoding: "utf8",
    });
  writeFileSync(
    join(world.home, ".gitconfig"),
    `[user]\n\tname = Ada Lovelace\n\temail = ada@home.example\n[github]\n\ttoken = ${key}\n`,
  );
  git("init", "--quiet", "--initial-branch=garden");
  writeFileSync(join(world.workspace, "plan.txt"), "roses\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=Begin");
  return { world, git };
}

for (const [where, place] of [
  ["", []],
  [" where no branch is checked out", ["checkout", "--quiet", "--detach"]],
] as const) {
  test(`a commit of the agent has the owner's name and mail, needs no question, and is undone${where}`, async (t) => {
    const commit = "git commit --all --message=Tulips";
    const { world, git } = await gitWorld(t, [commit]);
    if (place.length > 0) git(...place);
    writeFileSync(join(world.workspace, "plan.txt"), "roses and tulips\n");
    const { code, out, err } = await world.command(["ask", "Commit this."]);
    assert.equal(code, 0, out + err);
    assert.equal(git("log", "-1", "--format=%an <%ae> %s").trim(), "Ada Lovelace <ada@home.example> Tulips");
    assert.equal((await world.command(["ask", "--continue", "/undo"])).code, 0);
    assert.equal(git("log", "-1", "--format=%s").trim(), "Begin");
    assert.equal(git("status", "--short").trim(), "M plan.txt");
  });
}

test("an undo of a commit leaves a whole repository, whatever its owner did there since", async (t) => {
  const commit = calls(["shell", { cmd: "git commit --all --message=Tulips" }]);
  const { world, git } = await gitWorld(t, []);
  world.provider.drop();
  const plan = join(world.workspace, "plan.txt");
  const say = async (words: string): Promise<string> => {
    const { out, err } = await world.command(["ask", "--continue", words]);
    git("fsck", "--strict", "--full");
    git("log", "--all", "--patch");
    return out + err;
  };
  const still = join(world.workspace, "still.txt");
  writeFileSync(still, "still\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=Begin again");
  /** Writes the index anew: the status of a file in it, and nothing else. */
  const look = (seconds: number): void => {
    const index = () => readFileSync(join(world.workspace, ".git/index"), "latin1");
    const before = index();
    utimesSync(still, seconds, seconds);
    git("status");
    assert.notEqual(index(), before);
  };
  const subject = () => git("log", "-1", "--format=%s").trim();
  const committed = async (text: string): Promise<void> => {
    writeFileSync(plan, `${text}\n`);
    world.provider.add(commit, { text: "Done." });
    const said = await say("Commit this.");
    assert.equal(subject(), "Tulips", said);
  };
  await committed("tulips");
  look(1);
  assert.match(await say("/undo"), /^Undone\./m, "only the status of files is new in the index");
  assert.deepEqual([subject(), git("status", "--short").trim()], ["Begin again", "M plan.txt"]);
  look(2);
  assert.doesNotMatch(await say("/redo"), /left as it is/);
  assert.deepEqual([subject(), git("status", "--short").trim()], ["Tulips", ""]);
  git("branch", "keep");
  assert.match(await say("/undo"), /^Undone\./m);
  assert.deepEqual([subject(), git("log", "-1", "--format=%s", "keep").trim()], ["Begin again", "Tulips"]);
  git("commit", "--quiet", "--all", "--message=Own");
  await committed("more tulips");
  writeFileSync(plan, "staged\n");
  git("add", "plan.txt");
  assert.match(await say("/undo"), /index was changed by somebody else .* git reset makes it fit the branch/);
  assert.deepEqual([subject(), git("show", ":plan.txt")], ["Own", "staged\n"]);
  git("commit", "--quiet", "--message=Staged");
  await committed("last tulips");
  writeFileSync(plan, "on top\n");
  git("commit", "--quiet", "--all", "--message=On top");
  assert.match(await say("/undo"), /commits too\. To take a commit back, use git revert/);
  assert.deepEqual([subject(), git("status", "--short").trim()], ["On top", ""]);
});

test("a redo of a commit that git removed since leaves the repository whole, and says so", async (t) => {
  const commit = "git commit --all --message=Tulips";
  const { world, git } = await gitWorld(t, [commit]);
  git("pack-refs", "--all");
  writeFileSync(join(world.workspace, "plan.txt"), "roses and tulips\n");
  await world.command(["ask", "Commit this."]);
  assert.equal((await world.command(["ask", "--continue", "/undo"])).code, 0);
  git("gc", "--quiet");
  assert.equal((await world.command(["ask", "--continue", "/redo"])).code, 0);
  git("fsck", "--strict", "--full");
  assert.equal(git("log", "-1", "--format=%s").trim(), "Tulips", "git gc keeps what is young");
  assert.equal((await world.command(["ask", "--continue", "/undo"])).code, 0);
  git("prune");
  const { out, err } = await world.command(["ask", "--continue", "/redo"]);
  git("fsck", "--strict", "--full");
  assert.match(
    out + err,
    /would name [0-9a-f]{10} again, which git has removed .* nothing in .* was changed/,
  );
  assert.deepEqual(
    [git("log", "-1", "--format=%s").trim(), git("status", "--short").trim()],
    ["Begin", "M plan.txt"],
  );
});

/** Begins what stops at a conflict on the branch `garden`, and resolves it. Gives what git says of it. */
function beginConflict(plan: string, git: (...args: readonly string[]) => string, begin: string): string {
  const committed = (text: string): void => {
    writeFileSync(plan, `${text}\n`);
    git("commit", "--quiet", "--all", `--message=${text}`);
  };
  git("checkout", "--quiet", "-b", "tulips");
  committed("tulips");
  git("checkout", "--quiet", "garden");
  committed("oaks");
  assert.throws(() => git(begin, "tulips"));
  const said = git("status");
  writeFileSync(plan, "tulips and oaks\n");
  return said;
}

for (const [after, begin] of [
  ["a merge that its owner began", "merge"],
  ["a cherry-pick that its owner began", "cherry-pick"],
] as const) {
  test(`the commit after ${after} needs no question either, and is undone`, async (t) => {
    const { world, git } = await gitWorld(t, ["git commit --all --no-edit"]);
    const before = beginConflict(join(world.workspace, "plan.txt"), git, begin);
    const { code, out, err } = await world.command(["ask", "Commit this."]);
    assert.equal(code, 0, out + err);
    assert.doesNotMatch(git("status"), /You (?:have|are)/);
    assert.equal(git("show", "HEAD:plan.txt"), "tulips and oaks\n");
    assert.equal((await world.command(["ask", "--continue", "/undo"])).code, 0);
    assert.equal(git("status"), before);
  });
}

test("what ends a merge without its commit asks, and names what it deletes", async (t) => {
  const scripts = ["git merge --quit", "git reset --quiet", "rm .git/MERGE_HEAD; git branch other"];
  const { world, git } = await gitWorld(
    t,
    scripts.map((_, index) => `sh ${index}.sh`),
  );
  for (const [index, script] of scripts.entries())
    writeFileSync(join(world.workspace, `${index}.sh`), `${script}\n`);
  const before = beginConflict(join(world.workspace, "plan.txt"), git, "merge");
  for (const script of scripts) {
    const { code, out, err } = await world.command(["ask", "Go on."]);
    assert.equal(code, 4, `${script}: ${out}${err}`);
    assert.match(err, /delete \.git\/MERGE_HEAD/, script);
  }
  assert.equal(git("status"), before);
});

test("a commit on a branch that git packed away needs no question either", async (t) => {
  const { world, git } = await gitWorld(t, ["git commit --all --message=Tulips"]);
  git("pack-refs", "--all");
  writeFileSync(join(world.workspace, "plan.txt"), "roses and tulips\n");
  const { code, out, err } = await world.command(["ask", "Commit this."]);
  assert.equal(code, 0, out + err);
  assert.equal((await world.command(["ask", "--continue", "/undo"])).code, 0);
  assert.equal(git("log", "-1", "--format=%s").trim(), "Begin");
});

test("a commit of many files needs no question, and beside what asks its data stand as one", async (t) => {
  const { world, git } = await gitWorld(t, [
    "git add --all && git commit --quiet --message=Roses",
    "sh work.sh",
  ]);
  for (let index = 0; index < 150; index++)
    writeFileSync(join(world.workspace, `rose${index}.txt`), `rose ${index}\n`);
  const more =
    "for n in $(seq 150); do echo tulip $n > tulip$n.txt; done; git add --all; git commit -qm Tulips";
  writeFileSync(join(world.workspace, "work.sh"), `${more}\ngit branch other\n`);
  const { code, err } = await world.command(["ask", "Commit these."]);
  assert.equal(code, 4, err);
  assert.equal(git("log", "-1", "--format=%s").trim(), "Roses");
  assert.equal(git("status", "--short").trim(), "");
  const rows = err.split("\n").filter((row) => row.startsWith("  - ") && row.includes(".git"));
  assert.deepEqual(rows, [
    "  - replace .git/refs/heads/garden (can be undone)",
    "  - create .git/refs/heads/other (can be undone)",
    "  - change files in .git (can be undone)",
  ]);
});

test("what git obeys, and another branch, still ask", async (t) => {
  const commands = [
    "git branch tulips",
    "git config core.editor vi",
    "sh -c 'echo x > .git/hooks/pre-commit'",
    "sh -c 'echo x > .git/info/attributes'",
    "sh -c 'mkdir -p .git/refs/heads; cp .git/refs/heads/garden .git/refs/heads/other'",
  ];
  const { world } = await gitWorld(t, commands);
  for (const command of commands) {
    const { code, out } = await world.command(["ask", "Go on."]);
    assert.equal(code, 4, `${command}: ${out}`);
  }
});

test("a line that takes commits off the branch asks, and says how many and which; one that amends does not", async (t) => {
  const commands = ["git commit --quiet --amend --message=Asters", "git update-ref refs/heads/garden HEAD~2"];
  const { world, git } = await gitWorld(t, commands);
  for (const name of ["beans", "clover"]) {
    writeFileSync(join(world.workspace, `${name}.txt`), `${name}\n`);
    git("add", "--all");
    git("commit", "--quiet", `--message=${name}`);
  }
  const { code, out, err } = await world.command(["ask", "Go on."]);
  assert.equal(code, 4, out + err);
  const asked = /the branch that is checked out would no longer have 2 commits, .* Asters, [0-9a-f]+ beans/;
  assert.match(err, asked);
  assert.equal(git("log", "-1", "--format=%s").trim(), "Asters");
});

test("a repository of another user that the owner calls safe is safe for the agent's git too", async (t) => {
  const commands = ["git status --short", "sh -c 'git log --format=%s; git config --get-all safe.directory'"];
  const { world, git } = await gitWorld(t, commands);
  if (process.getuid?.() === 0)
    for (const name of [".", ".git"]) chownSync(join(world.workspace, name), 12_345, 12_345);
  const settings = join(world.home, ".gitconfig");
  appendFileSync(
    settings,
    `[safe]\n\tdirectory = /before\n\tdirectory =\n\tdirectory = ${world.workspace}\n`,
  );
  appendFileSync(settings, "\tdirectory = ~/other\n");
  writeFileSync(join(world.workspace, "new.txt"), "new\n");
  if (process.getuid?.() === 0) assert.throws(() => git("status"), "control: git calls it dubious");
  const { err } = await world.command(["ask", "Look."]);
  const [, token = ""] = /Yes: passepartout (approve \S+)/.exec(err) ?? [];
  await world.command(["ask", "--continue", `/${token}`]);
  const sent = JSON.stringify(world.provider.requests);
  for (const words of ["?? new.txt", "Begin", `${world.home}/other`]) assert.ok(sent.includes(words), words);
  for (const words of ["dubious", "/before"]) assert.ok(!sent.includes(words), words);
});

test("a commit of the agent is the one that the owner's git would make: who, what is left alone, and the ends of lines", async (t) => {
  const { world, git } = await gitWorld(t, [
    "git status --short",
    "git add --all && git commit --message=Tulips",
  ]);
  const own = (name: string, text: string): void => writeFileSync(join(world.home, name), text);
  own(
    ".gitconfig",
    `[user]\n\tname = Ada\n\temail = ada@home.example\n[core]\n\texcludesFile = ~/left-alone\n\tautocrlf = input
[includeIf "gitdir:${world.workspace}/"]\n\tpath = at-work\n[includeIf "gitdir:~/elsewhere/"]\n\tpath = elsewhere\n`,
  );
  own("at-work", "[user]\n\temail = ada@work.example\n[alias]\n\tco = checkout\n");
  own("elsewhere", "[user]\n\temail = ada@elsewhere.example\n");
  own("left-alone", "*.log\n");
  writeFileSync(join(world.workspace, "tulips.txt"), "tulips\r\n");
  writeFileSync(join(world.workspace, "debug.log"), "a line\n");
  await world.command(["ask", "Commit this."]);
  await world.command(["ask", "--continue", "Commit this."]);
  assert.equal(git("log", "-1", "--format=%an <%ae> %s").trim(), "Ada <ada@work.example> Tulips");
  assert.equal(git("show", "HEAD:tulips.txt"), "tulips\n");
  assert.equal(git("ls-files").trim(), "plan.txt\ntulips.txt");
  const sent = JSON.stringify(world.provider.requests);
  assert.ok(sent.includes("?? tulips.txt") && !sent.includes("?? debug.log"), sent);
});

test("nothing else of the owner's git settings is seen in the sandbox", async (t) => {
  const key = "0123456789abcdef0123456789abcdef01234567";
  const { world } = await gitWorld(t, ["sh look.sh"], key);
  writeFileSync(join(world.workspace, "look.sh"), 'git config --list; cat "$HOME/.gitconfig"\n');
  await world.command(["ask", "Which settings does git have?"]);
  const sent = JSON.stringify(world.provider.requests.at(-1));
  const seen = ["user.email=ada@home.example", key, "github"].map((text) => sent.includes(text));
  assert.deepEqual(seen, [true, false, false]);
});

test("a commit that is neither signed nor checked by hooks as the owner's settings say, says so to the owner and the model", async (t) => {
  const lines = [
    "git commit --quiet --all --message=One && git status",
    "git commit -n --no-gpg-sign -qam Two",
  ];
  const asked = "git commit -qam Three && cat /etc/shells";
  const { world } = await gitWorld(t, [...lines, asked]);
  mkdirSync(join(world.home, "hk"));
  const settings = "[commit]\n\tgpgsign\n[core]\n\thooksPath = ~/hk\n";
  appendFileSync(join(world.home, ".gitconfig"), settings);
  writeFileSync(join(world.workspace, "plan.txt"), "roses and tulips\n");
  const told =
    /commit\.gpgsign and core\.hooksPath of the owner's git settings are not followed in the sandbox: a commit is not signed, and its hooks do not run/;
  const { code, out, err } = await world.command(["ask", "Go on."]);
  assert.equal(code, 4, err);
  const [ofFirst, ofQuestion, ...others] = (out + err).split("\n").filter((row) => told.test(row));
  assert.match(ofFirst ?? "", /^ {4}\(.*\. The owner's own git commit --amend --no-edit follows them\.\)$/);
  assert.match(ofQuestion ?? "", /^ {2}Asked because /);
  assert.deepEqual(others, []);
  assert.match(JSON.stringify(world.provider.requests[1]), told);
});

test("a question about a repository names the owner's own files first, and its data as one", async (t) => {
  const { world } = await gitWorld(t, ["sh work.sh"]);
  writeFileSync(
    join(world.workspace, "work.sh"),
    "rm plan.txt\ngit commit --quiet --all --message=Gone\ngit branch other\n",
  );
  const { code, err } = await world.command(["ask", "Go on."]);
  assert.equal(code, 4, err);
  const rows = err.split("\n").filter((row) => row.startsWith("  - "));
  assert.deepEqual(rows, [
    "  - keep what the command below changed when it was tried:",
    "  - delete plan.txt (can be undone)",
    "  - replace .git/refs/heads/garden (can be undone)",
    "  - create .git/refs/heads/other (can be undone)",
    "  - change files in .git (can be undone)",
  ]);
});

test("what git would keep without a filter of the owner's settings is not done, and says why", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  for (const [what, settings] of [
    ["that cleans alone", '[filter "lfs"]\n\tclean = echo pointer\n'],
    [
      "of Git LFS",
      '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n',
    ],
    ["behind a condition", '[includeIf "gitdir:/"]\n\tpath = ~/garden.conf\n'],
  ] as const) {
    const { world, git } = await gitWorld(t, []);
    world.provider.drop();
    const pointer = ["-c", "filter.lfs.clean=echo pointer"];
    appendFileSync(join(world.home, ".gitconfig"), settings);
    writeFileSync(join(world.home, "garden.conf"), '[filter "lfs"]\n\tclean = echo pointer\n');
    writeFileSync(world.path(".gitattributes"), "*.bin filter=lfs -text\n");
    writeFileSync(world.path("a.bin"), "the large file\n");
    git(...pointer, "add", "--all");
    git("commit", "--quiet", "--message=Large");
    const lines = ["git add -A", "git commit -qam note", "git stash", "sh -c 'git add a.bin b.bin'"];
    const before = git(...pointer, "status", "--short");
    for (const cmd of [...lines, ...(what === "behind a condition" ? [] : ["git status --short"])]) {
      // What git takes for changed since, it cleans again.
      utimesSync(world.path("a.bin"), 1, 1);
      writeFileSync(world.path("b.bin"), "another\n");
      world.provider.add(calls(["shell", { cmd }]), { text: "Done." });
      const asked = await world.command(["ask", cmd]);
      const token = /approve (\S+)/.exec(asked.out + asked.err)?.[1];
      const { out, err } = token === undefined ? asked : await world.command(["approve", token]);
      assert.match(
        out + err,
        /a\.bin: filter\.lfs of the owner's git settings does not run/,
        `${cmd}: ${out}`,
      );
      assert.match(out + err, /in a terminal, or .* git lfs install --local/, cmd);
      assert.equal(git("show", "HEAD:a.bin"), "pointer\n", cmd);
      assert.equal(git("log", "-1", "--format=%s").trim(), "Large", cmd);
      assert.equal(git("ls-files", "b.bin"), "", cmd);
    }
    assert.equal(before, "");
    git("config", "filter.lfs.clean", "echo own");
    git("config", "filter.lfs.smudge", "cat");
    world.provider.add(calls(["shell", { cmd: "git add -A && git commit -qm own" }]), { text: "Done." });
    const { out, err } = await world.command(["ask", "commit it"]);
    assert.equal(git("show", "HEAD:b.bin"), "own\n", out + err);
  }
});

test("a clean tree with files of a filter of the owner's settings is clean for git in commands, and other files are committed", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmds = ["git status --short", "git add plan.txt && git commit -qm plan"];
  const { world, git } = await gitWorld(t, cmds);
  appendFileSync(join(world.home, ".gitconfig"), '[filter "lfs"]\n\tclean = echo pointer\n');
  writeFileSync(world.path(".gitattributes"), "*.bin filter=lfs -text\n");
  writeFileSync(world.path("a.bin"), "the large file\n");
  git("-c", "filter.lfs.clean=echo pointer", "add", "--all");
  git("commit", "--quiet", "--message=Large");
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  git("-c", "filter.lfs.clean=echo pointer", "update-index", "--refresh");
  writeFileSync(world.path("plan.txt"), "tulips\n");
  const { out, err } = await world.command(["ask", "commit the plan"]);
  assert.equal(git("log", "-1", "--format=%s").trim(), "plan", out + err);
  assert.doesNotMatch(out + err, /does not run/);
});
