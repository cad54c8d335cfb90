import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { proveHarmless } from "../../src/act/shell/programs/prove-harmless.ts";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { isSecretPath } from "../../src/gate/secret-path.ts";
import { objectsOf } from "../../src/memory/private-text/git-objects.ts";

function git(folder: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=attacker", "-c", "user.email=attacker@example.org"];
  return execFileSync("git", ["-C", folder, ...who, ...args], { encoding: "utf8" }).trim();
}

/** A repository that has kept a secret file, and the id of what it kept. */
async function repository(context: TestContext) {
  const folder = await makeScratchFolder(context);
  git(folder, "init", "-q");
  await writeFile(join(folder, ".env"), "kept-by-git\n");
  await mkdir(join(folder, "sub"));
  await writeFile(join(folder, "sub", "x.pem"), "kept-by-git\n");
  await writeFile(join(folder, "plain"), "plain text\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  await appendFile(join(folder, "plain"), "second line\n");
  await writeFile(join(folder, ".env"), "other\n");
  git(folder, "commit", "-qam", "second");
  return { folder, blob: git(folder, "rev-parse", "HEAD~1:.env") };
}

async function proofOf(folder: string, cmd: string): Promise<string | null> {
  const prepared = await shellIn(folder).prepare(cmd);
  assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
  const [ran] = prepared.effects;
  assert.equal(ran?.kind, "run-program");
  return ran.proof;
}

const showing = (blob: string): readonly string[] => [
  "git show HEAD~1",
  "git log -p",
  "git log -U1 --all",
  "git diff HEAD~1",
  "git diff HEAD~1 HEAD",
  "git grep kept HEAD~1",
  "git grep --cached -e kept",
  `git show ${blob}`,
  `git show ${blob.slice(0, 8)}`,
  `git show any-0-g${blob.slice(0, 8)}`,
  `git show -S ${blob} ${blob}`,
  `git grep kept ${blob}`,
  `git diff ${blob}..${blob}`,
  "git log -p .env",
];

test("what git kept of a secret file is not shown by commands that are proved to only show", async (context) => {
  const { folder, blob } = await repository(context);
  const control = git(folder, "show", blob);
  assert.equal(control, "kept-by-git");
  const shell = shellIn(folder);
  for (const cmd of showing(blob)) {
    assert.notEqual(await proofOf(folder, cmd), null, cmd);
    assert.doesNotMatch(outputOf(await shell.run(cmd)), /kept-by-git/, cmd);
  }
  assert.match(outputOf(await shell.run("git show HEAD")), /second line/);
  assert.match(outputOf(await shell.run("git grep second HEAD")), /second line/);
});

test("a change of a secret file that git knows is not shown through its mask", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const { folder } = await repository(context);
  await appendFile(join(folder, "plain"), "third line\n");
  const shell = shellIn(folder, { sandbox });
  for (const cmd of ["git diff", "git diff --cached HEAD~1", "git show HEAD", "git log -p"]) {
    assert.doesNotMatch(outputOf(await shell.run(cmd)), /kept-by-git/, cmd);
  }
  assert.match(outputOf(await shell.run("git diff")), /third line/);
});

test("operands that could ask git for the bare contents of a file are not vouched for", () => {
  for (const operand of [
    "HEAD^{blob}",
    "abcd123^{}",
    "v1^{object}",
    "HEAD:x.pem..HEAD:a",
    ":.env",
    "HEAD^{/a:}:.env",
    "HEAD@{12:00}:.env",
  ]) {
    assert.equal(proveHarmless(["git", "show", operand]).harmless, false, operand);
  }
  assert.equal(proveHarmless(["git", "log", "-p", "--follow", "a"]).harmless, false);
  assert.ok(
    proveHarmless(["git", "grep", "x", "HEAD:.env"]).harmless === false ||
      JSON.stringify(proveHarmless(["git", "grep", "x", "HEAD:.env"])).includes('"path":".env"'),
  );
});

/** Names that a pattern fits: each character of a set, and in the place of a star what editors and people write there. */
function namesOf(pattern: string): readonly string[] {
  const [piece] = /\[[^\]]*\]|\*/.exec(pattern) ?? [];
  if (piece === undefined) return [pattern];
  const begin = pattern.slice(0, pattern.indexOf(piece));
  const put =
    piece === "*" ? ["", "x", "~", "#", "ock", "ncthing", " ", "-1", "(copy)"] : [...piece.slice(1, -1)];
  return put.flatMap((text) => namesOf(begin + text + pattern.slice(begin.length + piece.length)));
}

test("every pattern by which git leaves names out fits a secret path of the judge, and no file beside them", async (context) => {
  const proof = proveHarmless(["git", "diff"]);
  assert.ok(proof.harmless);
  const specs = proof.argv.filter((word) => word.startsWith(":("));
  assert.ok(specs.length > 30);
  const innocent =
    "config.env.ts customer.envelope.ts .github.environment.md .my.netrc-parser.go client.npmrc.ts prod.env.sample .storybook.tokens.md".split(
      " ",
    );
  const folder = await makeScratchFolder(context);
  for (const name of innocent) {
    assert.ok(!isSecretPath(`/w/${name}`, "/home/u"), name);
    await writeFile(join(folder, name), "");
  }
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  const listed = execFileSync("git", ["ls-files", "--others", "--", ".", ...specs], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.deepEqual(listed.trim().split("\n"), innocent.toSorted());
  for (const spec of specs) {
    const pattern = spec.replace(/^.*\*\*\/(?=[^/])/, "").replace("/**", "/x");
    const names = namesOf(pattern);
    assert.ok(
      names.some((name) => isSecretPath(`/w/${name}`, "/home/u")),
      spec,
    );
  }
});

/** A repository whose settings lie in another folder, where they name a program that git runs on the files of the workspace. */
async function redirected(context: TestContext, name: string, to: string) {
  const { folder } = await repository(context);
  const evil = join(folder, "evil");
  await cp(join(folder, ".git"), evil, { recursive: true });
  const ran = join(folder, "ran");
  await writeFile(
    join(evil, "config"),
    `[core]\n\trepositoryformatversion = 0\n[filter "x"]\n\tclean = "sh -c 'echo > ${ran}; cat'"\n`,
  );
  await writeFile(join(folder, ".gitattributes"), "* filter=x\n");
  await writeFile(join(folder, ".git", name), to);
  await appendFile(join(folder, "plain"), "changed\n");
  return { folder, ran };
}

test("git is not vouched for in a repository whose settings lie elsewhere", async (context) => {
  const { folder, ran } = await redirected(context, "commondir", "../evil\n");
  git(folder, "diff", "--", "plain");
  assert.ok(existsSync(ran), "control: git runs what the other settings name");
  await rm(ran);
  for (const cmd of ["git status", "git diff", "git log", "git ls-files"]) {
    assert.equal(await proofOf(folder, cmd), null, cmd);
  }
});

test("git is not vouched for where .git is a file or a link that leads to a repository elsewhere", async (context) => {
  for (const lead of [
    (folder: string) => writeFile(join(folder, ".git"), "gitdir: evil\n"),
    (folder: string) => symlink("evil", join(folder, ".git")),
  ]) {
    const { folder } = await repository(context);
    await rename(join(folder, ".git"), join(folder, "evil"));
    await lead(folder);
    assert.notEqual(git(folder, "log"), "", "control: git follows it");
    for (const cmd of ["git status", "git diff", "git log"])
      assert.equal(await proofOf(folder, cmd), null, cmd);
    assert.equal(await proofOf(join(folder, "sub"), "git status"), null, "below it");
  }
});

test("a link, socket or pipe anywhere in a repository's own folder makes every git command ask", async (context) => {
  const { folder } = await repository(context);
  const own = join(folder, ".git");
  const commands = ["git status", "git log", "git branch -a", "git ls-files", "git stash list"];
  for (const cmd of commands) assert.notEqual(await proofOf(folder, cmd), null, `control: ${cmd}`);
  await symlink("../../plain", join(own, "hooks", "pre-push"));
  for (const cmd of commands) assert.notEqual(await proofOf(folder, cmd), null, `hooks: ${cmd}`);
  for (const name of [
    "packed-refs",
    "rebase-merge/done",
    "refs/heads/other",
    "logs/x",
    "deep/er/still",
    "objects/ff",
    "MERGE_MSG",
  ]) {
    const place = join(own, name);
    await mkdir(dirname(place), { recursive: true });
    await symlink("../../plain", place);
    for (const cmd of commands) assert.equal(await proofOf(folder, cmd), null, `${name}: ${cmd}`);
    await rm(place);
  }
  execFileSync("mkfifo", [join(own, "description2")]);
  for (const cmd of commands) assert.equal(await proofOf(folder, cmd), null, `a pipe: ${cmd}`);
  await rm(join(own, "description2"));
  const server = createServer().listen(join(own, "s"));
  await once(server, "listening");
  for (const cmd of commands) assert.equal(await proofOf(folder, cmd), null, `a socket: ${cmd}`);
  server.close();
});

test("git is not vouched for in a repository that takes its objects from what is no repository", async (context) => {
  const { folder } = await repository(context);
  await writeFile(join(folder, ".git/objects/info/alternates"), "/usr/share\n");
  assert.equal(await proofOf(folder, "git log -p"), null);
});

test("no spelling of a signature format makes git run a program", () => {
  for (const format of ["%G?", "%+GG", "%-GS", "% GG", "%(trailers)"]) {
    assert.equal(proveHarmless(["git", "log", `--format=${format}`]).harmless, false, format);
  }
});

test("git is not vouched for where .git is no repository and git would take one from a folder above", async (context) => {
  const { folder } = await repository(context);
  const ran = join(folder, "ran");
  await writeFile(join(folder, ".gitattributes"), "* filter=x\n");
  git(folder, "config", "filter.x.clean", `sh -c 'echo > ${ran}; cat'`);
  const makes: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    empty: (path) => mkdir(path),
    headless: async (path) => {
      await cp(join(folder, ".git"), path, { recursive: true });
      await writeFile(join(path, "HEAD"), "nothing\n");
      await rm(join(path, "config"));
    },
    "without-refs": async (path) => {
      await cp(join(folder, ".git"), path, { recursive: true });
      await rm(join(path, "refs"), { recursive: true });
      await rm(join(path, "config"));
    },
  };
  for (const [name, make] of Object.entries(makes)) {
    const inner = join(folder, name);
    await mkdir(inner);
    await writeFile(join(inner, "plain"), "x\n");
    git(folder, "-c", "filter.x.clean=cat", "add", join(name, "plain"));
    await make(join(inner, ".git"));
    await writeFile(join(inner, "plain"), "changed\n");
    git(inner, "diff");
    assert.ok(existsSync(ran), `control: git takes the repository above ${name}`);
    await rm(ran);
    for (const cmd of ["git status", "git diff", "git grep x"]) {
      assert.equal(await proofOf(inner, cmd), null, `${name}: ${cmd}`);
    }
  }
});

test("a pipe among the files of a repository keeps nobody waiting", { timeout: 60_000 }, async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const { folder } = await repository(context);
  for (const name of ["HEAD", "config", "config.worktree", "commondir"]) {
    const path = join(folder, ".git", name);
    const kept = existsSync(path) ? await readFile(path) : null;
    await rm(path, { force: true });
    execFileSync("mkfifo", [path]);
    const shell = shellIn(folder, { sandbox });
    for (const cmd of ["git status", "git log", "git push", "git commit -m x"]) {
      const answered = shell.prepare(cmd).then(() => true);
      assert.ok(await Promise.race([answered, wait(5_000, false)]), `${name}: ${cmd}`);
    }
    assert.ok(await Promise.race([objectsOf(folder).then(() => true), wait(5_000, false)]), name);
    await rm(path);
    if (kept !== null) await writeFile(path, kept);
  }
});

test("git runs no program that checks signatures, whatever format the repository sets", () => {
  const proof = proveHarmless(["git", "log"]);
  assert.ok(proof.harmless);
  for (const format of ["gpg", "gpg.x509", "gpg.ssh"])
    assert.ok(proof.argv.includes(`${format}.program=false`));
});

test("git behind another program is not vouched for in a repository that names programs, nor in a repository elsewhere", async (context) => {
  const { folder } = await repository(context);
  const ran = join(folder, "ran");
  const evil = join(folder, "sub", "evil");
  git(folder, "init", "-q", evil);
  await writeFile(join(evil, "plain"), "plain text\n");
  git(evil, "add", ".");
  git(evil, "commit", "-qm", "first");
  await writeFile(join(evil, ".gitattributes"), "* filter=x\n");
  await appendFile(join(evil, ".git", "config"), `[filter "x"]\n\tclean = "echo > ${ran}; cat"\n`);
  await appendFile(join(evil, "plain"), "changed\n");
  git(evil, "diff");
  assert.ok(existsSync(ran), "control: git runs what the settings name");
  await rm(ran);
  const wrappers = [
    "",
    "timeout 5 ",
    "nice ",
    "env LC_ALL=C ",
    "stdbuf -oL ",
    "nohup ",
    "time ",
    "nice timeout 9 nohup ",
  ];
  for (const wrapper of wrappers)
    for (const cmd of ["git status", "git diff", "/usr/bin/git diff"]) {
      assert.equal(await proofOf(evil, `${wrapper}${cmd}`), null, `${wrapper}${cmd}`);
      assert.equal(await proofOf(folder, `${wrapper}${cmd.replace("git ", "git -C sub/evil ")}`), null, cmd);
    }
  assert.notEqual(await proofOf(folder, "git -C sub status"), null);
  const outside = shellIn(join(folder, "sub"), {});
  const prepared = await outside.prepare("timeout 5 git -C .. status");
  assert.ok(
    prepared.ok && prepared.effects.every((effect) => effect.kind !== "run-program" || effect.proof === null),
  );
});
