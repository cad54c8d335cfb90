import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findMissing } from "./find-missing.ts";
import { privilegesNote } from "./find-privileges.ts";
import { adviceOn, findInstallation, installCommand, type Machine } from "./package-manager.ts";

const ended = (stderr: string, exitCode = 127) =>
  findMissing({ status: "success", content: { stdout: "", stderr, exitCode } });
const machine = (program: string, isRoot = false): Machine => ({ has: (path) => path === program, isRoot });

test("what is missing is recognised by what shells, programs and interpreters say, and by nothing else", () => {
  const programs = [
    "bash: line 1: jq: command not found",
    "bash: jq: command not found",
    "sh: 1: jq: not found",
    "/bin/sh: 1: jq: not found",
    "./build.sh: line 7: jq: command not found",
    "env: ‘jq’: No such file or directory",
    "/usr/bin/env: 'jq': No such file or directory",
    "make: jq: No such file or directory",
    "Error: spawn jq ENOENT",
    "FileNotFoundError: [Errno 2] No such file or directory: 'jq'",
    "xargs: jq: No such file or directory",
  ];
  for (const line of programs)
    assert.deepEqual(ended(`first\n${line}\nlast`), { kind: "program", name: "jq" }, line);
  const missing = {
    status: "error",
    code: "not-installed",
    message: "jq is not installed on this machine (…).",
  } as const;
  assert.deepEqual(findMissing(missing), { kind: "program", name: "jq" });
  assert.deepEqual(ended("ModuleNotFoundError: No module named 'yaml.nodes'", 1), {
    kind: "python",
    name: "yaml",
  });
  assert.deepEqual(ended("Error: Cannot find module 'express'", 1), { kind: "node", name: "express" });
  assert.deepEqual(ended("Cannot find package '@scope/thing' imported from /a.js", 1), {
    kind: "node",
    name: "@scope/thing",
  });
  assert.equal(ended("bash: jq: command not found", 0), null);
  assert.equal(ended("cat: notes.txt: No such file or directory", 1), null);
  assert.equal(ended("Error: Cannot find module './own.js'", 1), null);
  assert.equal(ended("bash: --allow-unauthenticated: command not found"), null);
  assert.equal(ended("bash: $(reboot): command not found"), null);
});

test("a command that wanted to be root in the sandbox is told apart from every other failure", () => {
  const ran = (stderr: string, exitCode = 1) =>
    privilegesNote({ status: "success", content: { stdout: "", stderr, exitCode } });
  for (const line of [
    'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.',
    "sudo: effective uid is not 0, is /usr/bin/sudo on a file system with the 'nosuid' option set?",
    "sudo: /etc/sudo.conf is owned by uid 65534, should be 0",
    "sudo: /usr/bin/sudo must be owned by uid 0 and have the setuid bit set",
    "pkexec must be setuid root",
  ])
    assert.match(ran(`first\n${line}\r\nlast`) ?? "", /install-program.*terminal of their own/, line);
  assert.equal(ran("sudo: jq: command not found"), null);
  assert.equal(ran("grep: sudo: The file"), null);
  assert.equal(ran("sudo: effective uid is not 0", 0), null);
});

test("a package is that of the kept table, by the machine's own manager, and nobody is root without the owner seeing it", async () => {
  const debian = await findInstallation("rg", machine("/usr/bin/apt-get"));
  assert.deepEqual(debian?.argv.slice(0, 2), ["/usr/bin/sudo", "-n"]);
  assert.equal(debian?.argv.at(-1), "ripgrep");
  const root = await findInstallation("rg", machine("/usr/bin/apt-get", true));
  assert.equal(root?.argv[0], "/usr/bin/apt-get");
  const mac = await findInstallation("pdftotext", machine("/opt/homebrew/bin/brew"));
  assert.deepEqual(mac?.argv, ["/opt/homebrew/bin/brew", "install", "poppler"]);
  assert.equal(await findInstallation("rg", machine("")), null);
  for (const name of ["-o=evil", "bash-", "a/b", "a=1", "a:b", "@group", "~a", "!a", "a b"])
    assert.equal(await findInstallation(name, machine("/opt/homebrew/bin/brew")), null, name);
  assert.equal(
    await installCommand("bwrap", machine("/usr/bin/apt-get")),
    "sudo apt-get install -y --no-install-recommends bubblewrap",
  );
});

test("a package that nobody here knows is said to be a guess, so that a name that looks like another is looked at", async () => {
  const brew = machine("/opt/homebrew/bin/brew");
  assert.equal((await findInstallation("rg", brew))?.isGuessed, false);
  assert.equal((await findInstallation("ripgrpe", brew))?.isGuessed, true);
  const advice = (name: string) => adviceOn({ kind: "program", name }, null, brew);
  assert.match(await advice("rg"), /The package ripgrep has rg:/);
  assert.match(
    await advice("ripgrpe"),
    /The package ripgrpe has the same name, which may be another program:/,
  );
});

test("a module is proposed only where a manifest of the folder names it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-steward-"));
  t.after(() => rmSync(folder, { recursive: true }));
  assert.match(
    await adviceOn({ kind: "python", name: "requests" }, folder),
    /no manifest of this folder names it/,
  );
  writeFileSync(join(folder, "requirements.txt"), "requests>=2\n");
  assert.match(
    await adviceOn({ kind: "python", name: "requests" }, folder),
    /propose `pip install -r requirements.txt`/,
  );
  writeFileSync(join(folder, "package.json"), '{"dependencies":{"express":"5.0.0"}}');
  assert.match(await adviceOn({ kind: "node", name: "express" }, folder), /propose `npm install`/);
  assert.match(await adviceOn({ kind: "node", name: "expres" }, folder), /no manifest/);
});
