import assert from "node:assert/strict";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { outputOf } from "../../src/act/tools/shell/shell.fixture.ts";
import { makeProgramHome } from "../program-home.ts";

const program = "#!/bin/sh\necho ran\n";

test("a yes that waits runs no changed program, and no rule outlives a change, whatever the words of the line are", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { file, shell } = made;
  await file(".tool/bin/tool", program);
  await file(".tool/lib/code", "1");
  await file("work/site/own.sh", "tool\n");
  const tool = shell([".tool/bin"], [".tool"]);
  const cases = [
    ["tool", []],
    ["sh own.sh", []],
    ["wget --use-askpass=tool https://git.example/x", ["git.example"]],
    ["git pull https://git.example/x", ["git.example"]],
  ] as const;
  for (const [index, [cmd, hosts]] of cases.entries()) {
    const prepare = async () => {
      const prepared = await tool.prepare(cmd, hosts);
      assert.ok(prepared.ok, cmd);
      const [runs] = prepared.effects.filter((effect) => effect.kind === "run-program");
      return { scripts: runs?.scripts ?? null, run: prepared.run };
    };
    const before = await prepare();
    if (hosts.length > 0) assert.equal((await prepare()).scripts, before.scripts, "control: nothing changed");
    else assert.equal((await before.run(new AbortController().signal)).status, "success", `control: ${cmd}`);
    await file(".tool/lib/code", `changed ${index}`);
    if (hosts.length > 0) assert.notEqual((await prepare()).scripts, before.scripts, cmd);
    const ran = await before.run(new AbortController().signal);
    assert.ok(ran.status === "error" && ran.code === "file-changed", `${cmd}: ${JSON.stringify(ran)}`);
  }
});

test("a session in a folder that holds a declared one finds its programs, and a change there counts", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { file, shell } = made;
  await file("work/site/tool/bin/mytool", program);
  const tool = shell(["work/site/tool/bin"], ["work/site/tool"]);
  assert.match(outputOf(await tool.run("sh -c ': ; mytool'")), /ran/);
  const prepared = await tool.prepare("sh -c ': ; mytool'", []);
  assert.ok(prepared.ok);
  await file("work/site/tool/lib/code", "changed");
  const ran = await prepared.run(new AbortController().signal);
  assert.ok(ran.status === "error" && ran.code === "file-changed", JSON.stringify(ran));
});

test("where only the owner may read the folder of PATH in a declared one, the outcome says so", async (context) => {
  const made = await makeProgramHome(context);
  if (made === null) return;
  const { home, file, shell } = made;
  await file(".tool/bin/tool", program);
  await chmod(join(home, ".tool/bin"), 0o700);
  const tool = shell([".tool/bin"], [".tool"]);
  for (const cmd of ["tool", "sh -c ': ; tool'"]) {
    const said = outputOf(await tool.run(cmd));
    assert.match(
      said,
      /no command sees its programs.*only you may read it.*chmod go\+rx \S+\.tool\/bin \S+\.tool\/bin\/\*/s,
      cmd,
    );
  }
  await chmod(join(home, ".tool/bin"), 0o755);
  assert.doesNotMatch(outputOf(await tool.run("tool")), /only you may read/, "control");
});
