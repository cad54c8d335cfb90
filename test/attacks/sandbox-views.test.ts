import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";

/** A workspace with a script that reads, and a folder beside it. Null without a sandbox. */
async function cage(context: TestContext) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const root = await makeScratchFolder(context);
  const [workspace, docs] = [join(root, "workspace"), join(root, "docs")];
  await mkdir(workspace);
  await mkdir(join(docs, ".ssh"), { recursive: true });
  await writeFile(join(docs, "a"), "NEEDLE\n");
  await writeFile(join(docs, ".env"), "NEEDLE\n");
  await writeFile(join(docs, ".ssh", "config"), "NEEDLE\n");
  await writeFile(join(workspace, "x.sh"), `cat ${docs}/a ${docs}/.env ${docs}/.ssh/config\n`);
  await writeFile(join(workspace, "plain"), "plain\n");
  await writeFile(join(workspace, ".env"), "NEEDLE\n");
  return { root, workspace, docs, shell: shellIn(workspace, { sandbox }), bare: shellIn(workspace) };
}

const naming = (docs: string): readonly string[] => [
  `ls -d ${docs}; sh x.sh`,
  `ls -la ${docs} && sh x.sh`,
  `find ${docs} -name a | sh x.sh`,
  `sh x.sh; stat ${docs}/a`,
  `test -e ${docs}/a && sh x.sh`,
  `du -s ${docs} | sh x.sh`,
  `realpath ${docs}/a; bash x.sh`,
  `cat ${docs}/a | grep -c N; sh x.sh`,
  `head -c 1 ${docs}/a > /dev/null; sh x.sh`,
];

test("what one command of a line may read or list is not in the view of the others", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  assert.match(outputOf(await made.bare.run("sh x.sh")), /NEEDLE/, "control: the script reads it");
  for (const cmd of naming(made.docs)) {
    const said = outputOf(await made.shell.run(cmd));
    assert.match(said, /"stderr":"[^"]*No such file/, cmd);
    assert.doesNotMatch(said, /NEEDLE/, cmd);
  }
});

test("a listing shows names outside the workspace, and the names inside a secret folder to nobody", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const listed = outputOf(await made.shell.run(`ls -RA ${made.docs}`));
  assert.match(listed, /\.env\\n\.ssh\\na/);
  assert.doesNotMatch(listed, /config/);
  assert.doesNotMatch(outputOf(await made.shell.run(`find ${made.docs}`)), /config/);
});

test("a program that guesses endings opens no file whose name was not judged", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  execFileSync("gzip", ["-k", join(made.workspace, "plain")]);
  await symlink(join(made.docs, "a"), join(made.workspace, "y.gz"));
  await symlink(".env", join(made.workspace, "z.gz"));
  for (const name of ["y", "z", "./y", "plain", "y.", "z.GZ.x"]) {
    for (const options of ["", "-f ", "-fq ", "--force -- "]) {
      const prepared = await made.shell.prepare(`zcat ${options}${name}`);
      assert.ok(prepared.ok);
      const proofs: readonly (string | null)[] = prepared.effects.flatMap((effect) =>
        effect.kind === "run-program" ? [effect.proof] : [],
      );
      assert.deepEqual(proofs, [null], `zcat ${options}${name}`);
    }
  }
  const prepared = await made.shell.prepare("zcat -f y.gz");
  assert.ok(prepared.ok);
  assert.ok(
    prepared.effects.some(({ kind, target }) => kind === "read-path" && target === join(made.docs, "a")),
  );
  assert.match(outputOf(await made.shell.run("zcat plain.gz")), /plain/);
});

const links = [
  "packed-refs",
  "rebase-merge/done",
  "rebase-apply/author-script",
  "logs/HEAD",
  "info/exclude",
  "refs/heads/x",
  "config",
  "index",
  "worktrees/w/gitdir",
  "objects/ab",
  "sequencer/todo",
  "shallow",
  "modules/m/HEAD",
];

for (const link of links) {
  test(`git is not vouched for where .git/${link} is a link`, async (context) => {
    const folder = await makeScratchFolder(context);
    execFileSync("git", ["init", "-q", folder]);
    const path = join(folder, ".git", link);
    await mkdir(join(path, ".."), { recursive: true });
    execFileSync("rm", ["-f", path]);
    await writeFile(join(folder, "..", "outside"), "outside\n").catch(() => undefined);
    await symlink("../../outside", path);
    for (const cmd of ["git status", "git branch -a", "git log", "git reflog", "git worktree list"]) {
      const prepared = await shellIn(folder).prepare(cmd);
      assert.ok(prepared.ok);
      const [ran] = prepared.effects;
      assert.ok(ran?.kind === "run-program");
      assert.equal(ran.proof, null, cmd);
    }
  });
}

test("a git that is only shown its workspace prints no line of a secret behind a link", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  execFileSync("git", ["init", "-q", made.workspace]);
  await mkdir(join(made.workspace, ".git/rebase-merge"));
  await symlink("../../.env", join(made.workspace, ".git/rebase-merge/done"));
  await writeFile(join(made.workspace, ".git/rebase-merge/git-rebase-todo"), "");
  await symlink("../.env", join(made.workspace, ".git/packed-refs"));
  const said = [
    outputOf(await made.shell.run("git status")),
    outputOf(await made.shell.run("git branch -a")),
  ];
  for (const each of said) assert.doesNotMatch(each, /NEEDLE/);
  const bare = execFileSync("sh", ["-c", `git -C ${made.workspace} status 2>&1; true`], { encoding: "utf8" });
  assert.match(bare, /NEEDLE/, "control: git alone prints it");
});

test("a proved command that reads files sees those files and nothing else of the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const seen: string[][] = [];
  const watched = {
    ...sandbox,
    argv: (...given: Parameters<typeof sandbox.argv>) => {
      const words = sandbox.argv(...given);
      seen.push([...words]);
      return words;
    },
  };
  await mkdir(join(made.workspace, "sub"));
  await symlink("../plain", join(made.workspace, "sub", "link"));
  const shell = shellIn(made.workspace, { sandbox: watched });
  for (const cmd of [
    "cat plain",
    "sort sub/link",
    "head -1 ./sub/../plain | wc -l",
    "diff plain sub/link",
    "sed -n 1p < plain",
  ]) {
    seen.length = 0;
    assert.match(outputOf(await shell.run(cmd)), /"exitCode":0/, cmd);
    for (const words of seen)
      assert.equal(
        words.includes(made.workspace) && words[words.indexOf(made.workspace) - 1]?.includes("bind"),
        false,
        cmd,
      );
  }
  assert.match(outputOf(await shell.run("cat sub plain")), /directory.*plain|plain.*directory/s);
  assert.match(outputOf(await shell.run("cat missing")), /No such file/);
  assert.match(outputOf(await shell.run("file sub/link")), /symbolic link|not-installed/);
  assert.match(outputOf(await shell.run("echo x; pwd")), new RegExp(made.workspace));
});
