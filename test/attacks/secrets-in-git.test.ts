import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { coverTestSecrets, outputOf, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { court } from "./trial-court.ts";

const secret = "hunter2correct";

function gitIn(cwd: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  return execFileSync("git", [...who, ...words], { cwd, encoding: "utf8" }).trim();
}

/**
 * A repository in whose history are secret files, of which one is still there, one that was never committed,
 * and one that nothing in it names any more. Another has what an ordinary file has.
 */
function makeRepository(root: string): void {
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  put(".env", `A=${secret}\n`);
  put("a.txt", "plain text\n");
  put("part/.ssh/config", `B=${secret}\n`);
  gitIn(root, "init", "-q", "--initial-branch=garden");
  for (const [name, value] of [
    ["name", "Ada"],
    ["email", "ada@example.org"],
  ] as const)
    gitIn(root, "config", `user.${name}`, value);
  gitIn(root, "add", "-A");
  gitIn(root, "commit", "-qm", "one");
  gitIn(root, "rm", "-rq", "part");
  gitIn(root, "commit", "-qm", "two");
  put("staged/.env", `C=${secret}\n`);
  gitIn(root, "add", "staged");
  put("unstaged/.env", `D=${secret}\n`);
  gitIn(root, "add", "unstaged");
  gitIn(root, "rm", "-rq", "--cached", "unstaged");
  put("own/.netrc", "plain text\n");
}

const printing = [
  "git diff-tree -p --root HEAD~1",
  "git show :/one",
  "git fast-export HEAD",
  "sh -c 'git cat-file -p HEAD:.env'",
  "sh -c 'git cat-file -p HEAD~1:part/.ssh/config'",
  "sh -c 'git cat-file -p :staged/.env'",
  "git cat-file -p $(git rev-parse HEAD:.env)",
  "sh -c 'git archive HEAD | tar xOf -'",
  "sh -c 'git cat-file --batch-all-objects --batch --buffer'",
  "sh -c 'git clone -q --no-local . copy; cat copy/.env'",
  `python3 -c "
import glob, zlib
for name in glob.glob('.git/objects/*/*'):
    data = open(name, 'rb').read()
    for at in range(len(data)):
        try: print(zlib.decompressobj().decompress(data[at:]))
        except zlib.error: pass
"`,
];

async function assertHidden(t: TestContext, packed: boolean): Promise<void> {
  const made = await court(t, { timeoutMilliseconds: 60_000 });
  if (made === null) return;
  makeRepository(made.workspace);
  if (packed) gitIn(made.workspace, "repack", "-adq");
  const approved = shellIn(made.workspace, { sandbox: made.sandbox });
  for (const cmd of printing) {
    const { said } = await made.attempt(cmd);
    await made.overlays.trials.drop("turn");
    assert.doesNotMatch(said, new RegExp(secret), cmd);
  }
  for (const cmd of [printing[0] ?? "", printing.at(-1) ?? ""])
    assert.doesNotMatch(outputOf(await approved.run(cmd)), new RegExp(secret), cmd);
}

test("no command prints what git keeps of a secret file in objects of their own", (t) =>
  assertHidden(t, false));

test("no command prints what git keeps of a secret file in packs", (t) => assertHidden(t, true));

test("an approved git prints no secret file of a repository that it borrows objects from", async (t) => {
  const made = await court(t, { timeoutMilliseconds: 60_000 });
  if (made === null) return;
  const lender = join(dirname(made.workspace), "lender");
  mkdirSync(lender);
  makeRepository(lender);
  gitIn(lender, "clone", "-q", "--shared", ".", join(made.workspace, "copy"));
  const shell = shellIn(made.workspace, { sandbox: made.sandbox });
  for (const [of, what] of [
    ["HEAD:.env", "secret"],
    ["HEAD:a.txt", "plain"],
    [gitIn(lender, "rev-parse", ":staged/.env"), "secret"],
  ] as const) {
    const said = outputOf(await shell.run(`git -C copy cat-file -p ${of}`));
    assert.doesNotMatch(said, new RegExp(secret), of);
    assert.equal(said.includes("plain text"), what === "plain", said);
  }
});

test("no command reads a file of git that has the contents of a secret file", async (t) => {
  const made = await court(t);
  if (made === null) return;
  makeRepository(made.workspace);
  const id = gitIn(made.workspace, "rev-parse", "HEAD:.env");
  const loose = `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
  assert.match(outputOf(await made.approve(`base64 ${loose}`)), /holds what git keeps of a secret file/);
  gitIn(made.workspace, "repack", "-adq");
  const [pack = ""] = execFileSync("ls", [join(made.workspace, ".git/objects/pack")], {
    encoding: "utf8",
  }).split("\n");
  const said = outputOf(await made.approve(`base64 .git/objects/pack/${pack}`));
  assert.match(said, /holds what git keeps of a secret file/);
});

test("other work goes on in a repository that keeps secret files", async (t) => {
  const made = await court(t, { timeoutMilliseconds: 60_000 });
  if (made === null) return;
  makeRepository(made.workspace);
  gitIn(made.workspace, "commit", "-qm", "three");
  for (const packed of [false, true]) {
    if (packed) gitIn(made.workspace, "repack", "-adq");
    await made.approve("sh -c 'git gc -q --prune=now; git repack -adfq'");
    const script = "git log --oneline | wc -l; git show HEAD:a.txt; git describe --always";
    const { said } = await made.attempt(`sh -c '${script}'`);
    await made.overlays.trials.drop("turn");
    assert.match(said, /plain text/, said);
    const work =
      "echo more >> a.txt; git add a.txt && git commit -qm four && git switch -qc other && git stash list && git diff HEAD~1 -- a.txt && git log -1 --stat";
    const worked = outputOf(await made.approve(work));
    assert.match(worked, /\+more/, worked);
    assert.match(worked, /four/, worked);
    assert.doesNotMatch(worked, /words of Passepartout/, worked);
    gitIn(made.workspace, "switch", "-q", "garden");
    gitIn(made.workspace, "branch", "-qD", "other");
    const damaged = gitIn(made.workspace, "fsck", "--full", "--no-dangling");
    assert.equal(damaged, "");
  }
});

test("git push and git gc have all that git keeps", async (t) => {
  const made = await court(t, { timeoutMilliseconds: 60_000 });
  if (made === null) return;
  makeRepository(made.workspace);
  const remote = made.path("remote.git");
  gitIn(made.workspace, "init", "-q", "--bare", "remote.git");
  await made.approve("git gc -q");
  assert.equal(gitIn(made.workspace, "fsck", "--full", "--no-dangling"), "");
  await made.approve("git push -q remote.git garden");
  assert.equal(gitIn(remote, "show", "garden:.env"), `A=${secret}`);
});

test("where a command copies what stands in for a secret file, its outcome names the copy", async (t) => {
  const made = await court(t, { timeoutMilliseconds: 60_000 });
  if (made === null) return;
  makeRepository(made.workspace);
  for (const [cmd, copy] of [
    ["git worktree add -q wt", "wt/.env"],
    ["git clone -q . copy", "copy/.env"],
    ["git clone -q --bare . bare.git", "bare.git/objects/"],
  ] as const) {
    const said = outputOf(await made.approve(cmd));
    assert.ok(said.includes(`Some words of Passepartout stand in its place in ${copy}`), said);
  }
  const { kept } = await made.attempt("git archive -o a.tar HEAD");
  const said = outputOf(await kept.run(new AbortController().signal));
  assert.ok(said.includes("stand in its place in a.tar"), said);
});

/** Prints whatever a repository keeps, packed or not. */
const unpacking = (folder: string): string => `python3 -c "
import glob, zlib
for name in glob.glob('${folder}/.git/objects/*/*'):
    print(zlib.decompress(open(name, 'rb').read()))
"`;

test("only repositories that a command may use are looked into; of others it sees no object", async (t) => {
  const made = await court(t);
  if (made === null) return;
  for (const name of ["one", "two"]) makeRepository(made.path(name));
  const covers = coverTestSecrets();
  const shell = shellIn(made.workspace, { sandbox: made.sandbox, timeoutMilliseconds: 60_000, ...covers });
  const lookedInto = async (): Promise<readonly string[]> => {
    const found = ["one", "two"].map(async (name) =>
      (await covers.isCovered(made.path(`${name}/.git`))) ? [name] : [],
    );
    return (await Promise.all(found)).flat();
  };
  assert.match(
    outputOf(await shell.run("ls one/.git/objects; find . -name HEAD; du -s two")),
    /two\/.git\/HEAD/,
  );
  assert.match(outputOf(await shell.run("grep -r plain .")), /one\/a.txt:plain/);
  assert.match(outputOf(await shell.run("git --version; cat one/a.txt | head")), /plain/);
  writeFileSync(made.path("all.sh"), "for each in */; do git -C $each show HEAD:a.txt HEAD:.env; done");
  const blind = outputOf(await shell.run("bash all.sh"));
  assert.doesNotMatch(blind, /plain|hunter2/);
  assert.deepEqual(await lookedInto(), []);
  const seeing = outputOf(await shell.run(unpacking("one")));
  assert.match(seeing, /plain text/);
  assert.doesNotMatch(seeing, /hunter2/);
  assert.deepEqual(await lookedInto(), ["one"]);
  const both = outputOf(await shell.run("for each in */; do git -C $each show HEAD:a.txt HEAD:.env; done"));
  assert.equal(both.match(/plain text/g)?.length, 2, both);
  assert.doesNotMatch(both, /hunter2/);
});
