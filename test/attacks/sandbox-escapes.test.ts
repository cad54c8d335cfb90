import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../../src/act/tools/shell.fixture.ts";

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
  assert.match(
    outputOf(await shell.run(`LD_DEBUG=libs LD_DEBUG_OUTPUT=${trace} touch made`)),
    /"exitCode":0/,
  );
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
  const said = outputOf(await shell.run(`bash -c '${attack}; echo x > sub/.git/hooks/pre-commit'`));
  assert.match(said, /busy/);
  for (const folder of repositories) assert.equal(existsSync(join(folder, ".git/hooks/pre-commit")), false);
  const useful = "git -c user.name=a -c user.email=a@b commit --allow-empty -qm x && git log --oneline";
  assert.match(outputOf(await shell.run(`bash -c '${useful}'`)), /"exitCode":0/);
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
