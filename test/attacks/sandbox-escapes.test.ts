import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";

test("a variable that a command sets does not reach the sandbox's own program, which runs outside", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const root = await makeScratchFolder(context);
  const [workspace, trace] = [join(root, "workspace"), join(root, "trace")];
  await mkdir(workspace);
  // The dynamic linker writes this file by itself, before a program's first instruction.
  const variables = { LD_DEBUG: "libs", LD_DEBUG_OUTPUT: trace };
  const control = spawnSync(sandbox.program, ["--version"], { env: variables });
  assert.ok(existsSync(`${trace}.${control.pid}`), "control: the linker obeys these variables");
  execFileSync("rm", [`${trace}.${control.pid}`]);
  const shell = shellIn(workspace, { sandbox });
  const said = outputOf(await shell.run(`LD_DEBUG=libs LD_DEBUG_OUTPUT=${trace} touch made`));
  assert.match(said, /"exitCode":0|trace\.\d+ .*gone: the sandbox has folders of its own/);
  assert.ok(existsSync(join(workspace, "made")));
  const left = execFileSync("ls", [root], { encoding: "utf8" });
  assert.equal(left, "workspace\n");
});

test("a confined program cannot move a repository away and put one with its own hooks there", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const repositories = [workspace, join(workspace, "sub")];
  for (const folder of repositories) {
    execFileSync("git", ["init", "-q", folder]);
    await mkdir(join(folder, ".git/hooks"), { recursive: true });
  }
  const shell = shellIn(workspace, { sandbox });
  const attack = "mv .git g; mv sub sub2; mkdir -p .git/hooks sub/.git/hooks; echo x > .git/hooks/pre-commit";
  const said = outputOf(await shell.run(`bash -c ':; ${attack}; echo x > sub/.git/hooks/pre-commit'`));
  assert.match(said, /busy/);
  for (const folder of repositories) assert.equal(existsSync(join(folder, ".git/hooks/pre-commit")), false);
  const useful = "git -c user.name=a -c user.email=a@b commit --allow-empty -qm x && git log --oneline";
  assert.match(outputOf(await shell.run(`bash -c ':; ${useful}'`)), /"exitCode":0/);
});

test("without a sandbox a secret file among the words of a command is a read that is judged", async (context) => {
  const workspace = await makeScratchFolder(context);
  await writeFile(join(workspace, "id_rsa"), "key");
  await mkdir(join(workspace, "sub"));
  for (const cmd of [
    "cp id_rsa x",
    `tar cf x.tar ${workspace}/id_rsa`,
    "dd if=id_rsa of=x",
    "cp ./sub/../id_rsa x",
  ]) {
    const prepared = await shellIn(workspace).prepare(cmd);
    assert.ok(prepared.ok);
    const read = prepared.effects.filter(({ kind }) => kind === "read-path").map(({ target }) => target);
    assert.ok(read.includes(join(workspace, "id_rsa")), cmd);
  }
});

const argumentsOfOthers = [
  "ps -eo args",
  "ps -eo pid,args=X",
  "ps -A -o cmd",
  "ps -e -o pid -o command=",
  "ps -efww",
  "ps -F",
  "ps aux",
  "ps x",
  "ps -e --format=pid,cmd:200",
  "ps -O args",
  "ps -eo pid,comm,unknown",
  "pgrep -a ssh",
  "pgrep -la .",
  "pgrep --list-full .",
  "pgrep -f token=a",
  "pgrep --full token=a",
];

test("without a sandbox a listing of the arguments of other processes asks, and in it there are none", async (context) => {
  const workspace = await makeScratchFolder(context);
  const sandbox = await sandboxFor(context);
  const proofOf = async (cmd: string, inside: boolean): Promise<string | null> => {
    const prepared = await shellIn(workspace, { sandbox: inside ? sandbox : null }).prepare(cmd);
    assert.ok(prepared.ok);
    const [ran] = prepared.effects;
    assert.ok(ran?.kind === "run-program");
    return ran.proof;
  };
  for (const cmd of argumentsOfOthers) {
    assert.equal(await proofOf(cmd, false), null, cmd);
    if (sandbox !== null && !cmd.includes("unknown")) assert.notEqual(await proofOf(cmd, true), null, cmd);
  }
  for (const cmd of [
    "ps",
    "ps -e",
    "ps -eo pid,comm,rss --sort=-rss",
    "ps -o pid= -p 1",
    "pgrep -l ssh",
    "ps -L --pid 1",
  ]) {
    assert.notEqual(await proofOf(cmd, false), null, cmd);
  }
});

test("a confined command that fails says that it had no network; one that succeeds, or only reads, does not", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const shell = shellIn(workspace, { sandbox, timeoutMilliseconds: 1_500 });
  const connect = `${process.execPath} -e 'fetch("http://127.0.0.1:9/").catch(() => process.exit(3))'`;
  for (const cmd of [connect, "sh -c ':; exit 7'", "bash -c ':; sleep 5'", "touch a && sh -c ':; sleep 9'"]) {
    assert.match(outputOf(await shell.run(cmd)), /The command ran without network\./, cmd);
  }
  for (const cmd of ["touch made", "cat missing", "grep x made"]) {
    assert.doesNotMatch(outputOf(await shell.run(cmd)), /network/, cmd);
  }
  const unconfined = shellIn(workspace);
  assert.doesNotMatch(outputOf(await unconfined.run("sh -c ':; exit 7'")), /network/);
});
