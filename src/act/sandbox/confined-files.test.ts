import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { cage, escapeFails, probe } from "../tools/shell/sandbox.fixture.ts";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../tools/shell/shell.fixture.ts";
import { sendFilter } from "./bubblewrap.ts";

test("a confined command reads neither the state nor the secret of the wire", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  for (const path of [join(made.state, "state.db"), join(made.runtime, "wire-secret")]) {
    await writeFile(path, "hidden");
    await escapeFails(
      made,
      probe(`if (fs.readFileSync(${JSON.stringify(path)}, "utf8") === "hidden") reached();`),
    );
  }
});

test("a confined command does not read a secret file of the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  await mkdir(join(made.workspace, "deep", ".ssh"), { recursive: true });
  for (const name of [".env", "deep/.ssh/config"]) {
    const path = join(made.workspace, name);
    await writeFile(path, "hidden");
    await escapeFails(
      made,
      probe(`if (fs.readFileSync(${JSON.stringify(path)}, "utf8") === "hidden") reached();`),
    );
  }
});

test("a search that needs no approval does not enter the secret files of the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  await writeFile(join(made.workspace, ".env"), "NEEDLE=hidden");
  await writeFile(join(made.workspace, "a.txt"), "NEEDLE=shown");
  const control = outputOf(await made.outside.run("sh -c ':; grep -r NEEDLE .'"));
  assert.match(control, /hidden/, "control: grep alone enters them");
  assert.doesNotMatch(outputOf(await made.outside.run("grep -r NEEDLE .")), /hidden/);
  const confined = outputOf(await made.inside.run("grep -r NEEDLE ."));
  assert.match(confined, /shown/);
  assert.doesNotMatch(confined, /hidden/);
});

test("a confined command writes nowhere but in the workspace", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const path = join(made.elsewhere, "written");
  const write = (where: string): string =>
    probe(`fs.writeFileSync(${JSON.stringify(where)}, "x"); reached();`);
  assert.match(outputOf(await made.outside.run(write(path))), /REACHED/);
  assert.ok(existsSync(path));
  const other = join(made.elsewhere, "other");
  assert.match(outputOf(await made.inside.run(write(other))), /TRIED/);
  assert.equal(existsSync(other), false);
  assert.match(outputOf(await made.inside.run(write(join(made.workspace, "mine")))), /REACHED/);
  assert.ok(existsSync(join(made.workspace, "mine")));
});

test("a confined command does not change files that are executed later", async (context) => {
  const made = await cage(context);
  if (made === null) return;
  const hooks = join(made.workspace, ".git", "hooks");
  await mkdir(hooks, { recursive: true });
  await writeFile(join(made.workspace, ".git", "config"), "[core]\n");
  for (const path of [join(hooks, "pre-commit"), join(made.workspace, ".git", "config")]) {
    await escapeFails(made, probe(`fs.appendFileSync(${JSON.stringify(path)}, "# more"); reached();`));
  }
});

test("a confined command that was proved to only read cannot write the workspace", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const touch = async (writable: boolean): Promise<number | null> => {
    const given = {
      cwd: workspace,
      workspace,
      writable,
      readable: [],
      locked: [],
      masked: [],
      environment: new Map<string, string>(),
    };
    const [program = "", ...args] = sandbox.argv(
      ["/usr/bin/touch", join(workspace, `made-${writable}`)],
      given,
    );
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    sendFilter(child, sandbox.filter);
    await once(child, "exit");
    return child.exitCode;
  };
  assert.equal(await touch(true), 0);
  assert.notEqual(await touch(false), 0);
});

test("a workspace in a folder of the agent's own is refused", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const root = await makeScratchFolder(context);
  const outcome = await shellIn(root, { sandbox, hidden: [root] }).run("ls");
  assert.match(outputOf(outcome), /cannot-confine/);
});

test("the agent's own folders are empty for every command where the workspace or a listed folder holds them", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const state = join(workspace, "deep", "state");
  await mkdir(state, { recursive: true });
  await writeFile(join(state, "NEEDLE.db"), "NEEDLE");
  const read = probe(`if (fs.readdirSync(${JSON.stringify(state)}).length > 0) reached();`);
  for (const place of [workspace, join(workspace, "deep"), await makeScratchFolder(context)]) {
    const inside = shellIn(place, { sandbox, hidden: [state] });
    for (const cmd of [
      read,
      `ls -R ${workspace}`,
      `find ${workspace} -name "N*"`,
      `sh -c "cat deep/state/* state/*"`,
      `sh -c ":; cat deep/state/* state/*"`,
      "ls deep/state/* state/*",
      "cat deep/s*/N*",
    ])
      assert.doesNotMatch(outputOf(await inside.run(cmd)), /REACHED|NEEDLE/, cmd);
  }
  assert.match(outputOf(await shellIn(workspace, { sandbox }).run("ls -R deep")), /NEEDLE/, "control");
});

test("a confined command sees the installation in its workspace, and does not write it", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(context);
  const dist = join(workspace, "dist");
  await mkdir(dist);
  await writeFile(join(dist, "main.js"), "shown");
  const both = { hidden: [dist], locked: [dist] };
  const inside = shellIn(workspace, { sandbox, ...both });
  assert.match(outputOf(await inside.run("grep -r shown .")), /main\.js:shown/);
  const path = join(dist, "main.js");
  const write = probe(`fs.appendFileSync(${JSON.stringify(path)}, "!"); reached();`);
  assert.match(outputOf(await inside.run(write)), /TRIED.*REFUSED/s);
  assert.equal(await readFile(path, "utf8"), "shown");
  const within = shellIn(dist, { sandbox, ...both });
  assert.match(outputOf(await within.run(write)), /TRIED.*REFUSED/s);
  assert.match(outputOf(await shellIn(workspace, both).run(write)), /REACHED/);
});
