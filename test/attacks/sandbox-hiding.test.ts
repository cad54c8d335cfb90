import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { closeLaterGuard, openLaterGuard } from "../../src/act/shell/later-guard.ts";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";

test("no name is so long, and no path so deep, that what is executed later keeps its name", async (context) => {
  const workspace = await makeScratchFolder(context);
  const guard = await openLaterGuard(workspace);
  assert.ok(guard !== null);
  const long = [`${"a".repeat(247)}.desktop`, `${"ü".repeat(123)}.desktop`];
  for (const name of long) writeFileSync(join(workspace, name), "evil");
  execFileSync("bash", [
    "-c",
    `cd "${workspace}"; n=${"d".repeat(200)}; for i in $(seq 30); do mkdir $n; cd -P $n; echo evil > .envrc; done`,
  ]);
  const { outcome } = await closeLaterGuard(guard, [], { status: "success", content: {} });
  assert.match(outputOf(outcome), /its making was not approved/);
  for (const name of long) assert.equal(existsSync(join(workspace, name)), false);
  const left = execFileSync("find", [workspace, "-name", ".envrc", "-not", "-path", "*/not-approved.*"], {
    encoding: "utf8",
  });
  execFileSync("rm", ["-rf", ...readdirSync(workspace).map((name) => join(workspace, name))]);
  assert.equal(left, "");
});

/** Runs a script between the two looks of the guard, as an ordinary user: root may write everywhere. */
function guardedAsUser(workspace: string, script: string): string {
  const guard = JSON.stringify(new URL("../../src/act/shell/later-guard.ts", import.meta.url).href);
  const program = `const { openLaterGuard, closeLaterGuard } = await import(${guard});
    const { execFileSync } = await import("node:child_process");
    const guard = await openLaterGuard(${JSON.stringify(workspace)});
    execFileSync("bash", ["-c", ${JSON.stringify(script)}], { cwd: ${JSON.stringify(workspace)} });
    console.log(JSON.stringify(await closeLaterGuard(guard, [], { status: "success", content: {} })));`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    ...user,
    encoding: "utf8",
  });
}

test("a folder that a command closes for writing, or for everything, keeps nothing that is executed later", (context) => {
  const root = mkdtempSync(join(tmpdir(), "passepartout-later-"));
  const workspace = join(root, "workspace");
  chmodSync(root, 0o755);
  mkdirSync(workspace);
  chmodSync(workspace, 0o777);
  context.after(() => {
    execFileSync("chmod", ["-R", "u+rwx", root]);
    rmSync(root, { recursive: true, force: true });
  });
  const said = guardedAsUser(
    workspace,
    "mkdir sub closed; echo evil > sub/.envrc; chmod 555 sub; echo evil > closed/.envrc; chmod 000 closed",
  );
  assert.match(said, /its making was not approved/);
  assert.deepEqual(readdirSync(join(workspace, "sub")), ["not-approved..envrc.txt"]);
  assert.deepEqual(readdirSync(workspace).sort(), ["closed", "sub"]);
  const closed = join(workspace, "closed");
  assert.equal(statSync(closed).mode & 0o777, 0);
  chmodSync(closed, 0o700);
  assert.deepEqual(readdirSync(closed), ["not-approved..envrc.txt"]);
});

test("what is made below a name that is not UTF-8 is found, and gets a name that nothing obeys", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const shell = shellIn(workspace, { sandbox });
  const script = String.raw`n=$(printf "n\xfe"); d=$(printf "\xfd.desktop"); mkdir $n; echo evil > $n/.envrc; echo evil > $d; echo fine > $n/$d.txt`;
  const said = outputOf(await shell.run(`bash -c '${script}'`));
  assert.match(said, /its making was not approved/);
  const found = execFileSync("find", [workspace, "-name", ".envrc", "-o", "-name", "*.desktop"]);
  assert.equal(found.toString("latin1"), "");
  assert.match(outputOf(await shell.run("grep -r fine .")), /fine/);
});

test("a secret or locked file below a name that is not UTF-8 is kept from commands, and other such files are not", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const shell = shellIn(workspace, { sandbox });
  const lay = (script: string): unknown => execFileSync("bash", ["-c", script], { cwd: workspace });
  lay(String.raw`mkdir $'o\xff'; echo plain > $'o\xff/a\xfe'`);
  assert.match(outputOf(await shell.run("bash -c 'cat o*/a*'")), /plain/);
  for (const name of [".env", ".envrc"]) {
    lay(String.raw`echo SECRET > $'o\xff/${name}'`);
    for (const cmd of ["bash -c 'cat o*/.env; echo evil > o*/.envrc'", "bash -c 'mv o* p; cat p/.env'"]) {
      const said = outputOf(await shell.run(cmd));
      assert.doesNotMatch(said, /SECRET/);
      assert.match(said, /not in UTF-8/, said);
    }
    lay(`rm o*/${name}`);
  }
});

test("where secret files are committed, git says which of them it cannot see, and commits the others by their names", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const git = (...words: readonly string[]) =>
    execFileSync("git", words, { cwd: workspace, encoding: "utf8" });
  mkdirSync(join(workspace, "sub/.ssh"), { recursive: true });
  for (const name of [".env", "a.txt", "sub/.ssh/config"]) writeFileSync(join(workspace, name), "SECRET\n");
  git("init", "-q");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.org");
  git("add", "-A");
  git("commit", "-qm", "one");
  writeFileSync(join(workspace, "a.txt"), "changed\n");
  const shell = shellIn(workspace, { sandbox });
  const status = await shell.run("git status --porcelain");
  assert.match(outputOf(status), /do not see what is in secret files \(\.env, sub\/\.ssh\)/);
  for (const cmd of ["git add -A", "git commit -qam two"])
    assert.match(outputOf(await shell.run(cmd)), /git commit FILE/, cmd);
  assert.match(outputOf(await shell.run("git commit -qm two a.txt")), /"exitCode":0/);
  assert.equal(git("log", "--format=%s", "-1").trim(), "two");
  assert.equal(git("status", "--porcelain"), "");
  assert.doesNotMatch(outputOf(await shell.run("git log --oneline")), /secret files/);
});
