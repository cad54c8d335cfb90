import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { closeLaterGuard, openLaterGuard } from "../../src/act/shell/later-guard.ts";
import { makeScratchFolder, outputOf } from "../../src/act/tools/shell.fixture.ts";

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
  const outcome = await closeLaterGuard(guard, [], { status: "success", content: {} });
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
  assert.deepEqual(readdirSync(workspace).sort(), ["not-approved.closed.txt", "sub"]);
});
