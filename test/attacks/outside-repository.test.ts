import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { cage } from "../../src/act/tools/shell/sandbox.fixture.ts";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";

function git(cwd: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
}

/**
 * A workspace that is a linked work tree, on the branch `tulips`, of a repository beside it, which has hooks
 * in the workspace.
 */
async function linkedCage(t: TestContext) {
  const found = await cage(t);
  if (found === null) return null;
  const { workspace, elsewhere } = found;
  const main = join(elsewhere, "main");
  git(elsewhere, "init", "--quiet", "--initial-branch=garden", main);
  writeFileSync(join(main, "plan.txt"), "roses\n");
  git(main, "add", "--all");
  git(main, "commit", "--quiet", "--message=Begin");
  git(main, "branch", "other");
  git(main, "worktree", "add", "--quiet", "-b", "tulips", workspace);
  git(main, "worktree", "add", "--quiet", "-b", "third", join(elsewhere, "third"));
  appendFileSync(
    join(main, ".git/config"),
    "[core]\n\thooksPath = hooks\n[user]\n\tname = A\n\temail = a@b\n",
  );
  mkdirSync(join(workspace, "hooks"));
  writeFileSync(join(workspace, "plan.txt"), "tulips\n");
  return { ...found, repository: join(main, ".git") };
}

type LinkedCage = NonNullable<Awaited<ReturnType<typeof linkedCage>>>;

/** All that is in a folder, by its names. */
function contentsOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`;
    return entry.isFile() ? `${path}: ${readFileSync(path, "latin1")}` : path;
  });
  return entries.toSorted().join("\n");
}

/** Makes a commit whose hook is a script of the workspace, and gives its output. */
async function commitWith({ workspace, inside }: LinkedCage, hook: string): Promise<string> {
  const script = `#!/bin/sh\nR=$(cat .git | cut -c9-)/../..\n${hook}\nexit 0\n`;
  writeFileSync(join(workspace, "hooks", "pre-commit"), script, { mode: 0o755 });
  return outputOf(await inside.run("git commit --all --message=Tulips"));
}

test("a hook of a commit in a repository outside of the workspace writes nowhere else", async (t) => {
  const world = await linkedCage(t);
  if (world === null) return;
  const third = join(world.elsewhere, "third");
  const before = [contentsOf(third), contentsOf(world.runtime)];
  const hook = `for F in ${third} ${world.runtime} ${world.state} ${world.elsewhere} $HOME/.. /etc; do echo x > $F/planted; done`;
  const said = await commitWith(world, hook);
  assert.equal(git(world.workspace, "log", "-1", "--format=%s"), "Tulips", said);
  assert.deepEqual([contentsOf(third), contentsOf(world.runtime)], before);
  assert.ok(!readdirSync(world.elsewhere).includes("planted"));
});

/** What hooks do to the copy of the repository, at `$R`, that no commit does, and what of it that changes. */
const hooks: readonly (readonly (readonly [changed: string, hook: string])[])[] = [
  [
    [
      "hooks/post-checkout",
      "mkdir -p $R/hooks; echo x > $R/hooks/post-checkout; chmod 755 $R/hooks/post-checkout",
    ],
    ["config", "git config core.fsmonitor 'touch x'"],
    ["worktrees/workspace/config.worktree", "echo '[core]' > $R/worktrees/workspace/config.worktree"],
    ["info/attributes", "mkdir -p $R/info; echo '* filter=x' > $R/info/attributes"],
    ["objects/info/alternates", "echo /etc > $R/objects/info/alternates"],
  ],
  [
    ["commondir", "echo /etc > $R/commondir"],
    ["refs/heads/new", "cp $R/refs/heads/tulips $R/refs/heads/new"],
    ["refs/heads/other", "git commit-tree HEAD^{tree} -m x > $R/refs/heads/other"],
    ["worktrees/third/index", "echo x > $R/worktrees/third/index"],
    ["HEAD", "echo 'ref: refs/heads/other' > $R/HEAD"],
  ],
  [
    ["objects/", "F=$(find $R/objects -type f | head -1); chmod 644 $F; echo x > $F"],
    ["refs/heads/tulips", "rm $R/refs/heads/tulips; ln -s /etc/passwd $R/refs/heads/tulips"],
    ["worktrees/workspace/gitdir", "echo /etc/.git > $R/worktrees/workspace/gitdir"],
    ["refs/stash", "echo 'ref: refs/heads/other' > $R/refs/stash"],
    ["worktrees/workspace/ORIG_HEAD", "echo 'ref: refs/heads/other' > $R/worktrees/workspace/ORIG_HEAD"],
  ],
  [["packed-refs", "echo >> $R/packed-refs"]],
  [["logs", "rm -rf $R/logs; ln -s /etc $R/logs"]],
  [["objects/", "rm -rf $R/objects"]],
];

test("a commit that would change more of a repository outside of the workspace changes nothing, and says so", async (t) => {
  const world = await linkedCage(t);
  if (world === null) return;
  const before = contentsOf(world.repository);
  for (const together of hooks) {
    const said = await commitWith(world, together.map(([, hook]) => hook).join("\n"));
    const named =
      /made here\.\s*It would also have changed (.*?)\. Of the repository/s.exec(said)?.[1] ?? said;
    for (const [changed] of together) assert.ok(named.includes(`${world.repository}/${changed}`), said);
    assert.equal(contentsOf(world.repository), before, said);
  }
});

test("an earlier command of the line leads the copy of a repository nowhere else", async (t) => {
  const world = await linkedCage(t);
  if (world === null) return;
  const before = contentsOf(world.elsewhere);
  const hook = `git -c core.hooksPath=/dev/null -c alias.x='!rm -rf "$R/logs"; ln -s ${world.elsewhere}/third "$R/logs"' x`;
  const script = `#!/bin/sh\nR=$(cat .git | cut -c9-)/../..\nexport R\n${hook}\n`;
  writeFileSync(join(world.workspace, "hooks", "pre-commit"), script, { mode: 0o755 });
  const line = `git commit --all --message=x; git commit --all --message=x > ${world.repository}/logs/planted`;
  await world.inside.run(line);
  assert.equal(contentsOf(world.elsewhere), before);
});

test("only a git that the line itself starts has the repository, and the approval is bound to its hooks and settings", async (t) => {
  const world = await linkedCage(t);
  if (world === null) return;
  const { inside, repository, workspace } = world;
  const planOf = async (cmd: string): Promise<string> => {
    const prepared = await inside.prepare(cmd);
    assert.ok(prepared.ok);
    return JSON.stringify([prepared.plan, prepared.effects]);
  };
  for (const cmd of ["sh commit.sh", "python3 x.py", "env git commit --all -m x"])
    assert.ok(!(await planOf(cmd)).includes(repository), cmd);
  const commit = "git commit --all --message=x";
  const plans = [await planOf(commit)];
  assert.ok(plans[0]?.includes(`"target":"${repository}"`), plans[0]);
  mkdirSync(join(repository, "hooks"), { recursive: true });
  writeFileSync(join(repository, "hooks", "pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  plans.push(await planOf(commit));
  writeFileSync(join(repository, "hooks", "pre-commit"), "#!/bin/sh\ntouch x\n");
  plans.push(await planOf(commit));
  appendFileSync(join(repository, "config"), "[alias]\n\tx = y\n");
  plans.push(await planOf(commit));
  assert.equal(new Set(plans).size, plans.length);
  writeFileSync(join(workspace, ".git"), `gitdir: ${world.runtime}\n`);
  assert.ok(!(await planOf(commit)).includes(world.runtime));
});
