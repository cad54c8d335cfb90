import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { findLinkedPrograms } from "../../shell/linked-packages.ts";
import { cage } from "./sandbox.fixture.ts";
import { outputOf } from "./shell.fixture.ts";

test("npm makes the programs of linked packages executable, which its question names", async (t) => {
  const made = await cage(t);
  if (made === null) return;
  const { inside, workspace } = made;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  write(
    "package.json",
    JSON.stringify({
      private: true,
      workspaces: ["packages/*"],
      dependencies: { dep: "file:vendor/dep" },
    }),
  );
  const program = "#!/usr/bin/env node\n";
  write(
    "packages/tool/package.json",
    JSON.stringify({ name: "tool", version: "1.0.0", bin: { tool: "bin/tool.js" } }),
  );
  write("packages/tool/bin/tool.js", program);
  write("vendor/dep/package.json", JSON.stringify({ name: "dep", version: "1.0.0", bin: "./dep.js" }));
  write("vendor/dep/dep.js", program);
  write(
    "packages/other/package.json",
    JSON.stringify({
      name: "other",
      version: "1.0.0",
      bin: { a: "../../../out.js", b: "../../.git/hooks/pre-commit", c: ".hidden/run" },
      directories: { bin: "../../.git" },
    }),
  );
  for (const path of ["packages/tool/bin/tool.js", "vendor/dep/dep.js"])
    chmodSync(join(workspace, path), 0o755);
  const costly = [
    ...Array.from({ length: 200 }, () => "packages/none"),
    "{a,b}".repeat(24),
    "{1..1000000}",
    "a".repeat(70_000),
    "*/*/*/*/*",
  ];
  write("costly/package.json", JSON.stringify({ workspaces: costly }));
  assert.deepEqual(await findLinkedPrograms(join(workspace, "costly")), []);
  const prepared = await inside.prepare("npm install --offline --no-audit");
  assert.ok(prepared.ok);
  const targets = prepared.effects.map(({ target }) => target);
  for (const path of ["node_modules", "packages/tool/bin/tool.js", "vendor/dep/dep.js"])
    assert.ok(targets.includes(join(workspace, path)), `${path} in ${targets.join(" ")}`);
  assert.ok(!targets.some((target) => /\.pnp|\.yarn|out\.js|\/\.git|hidden/.test(target)), targets.join(" "));
  for (const cmd of ["npm install --offline --no-audit", "npm ci --offline --no-audit"])
    assert.match(outputOf(await inside.run(cmd)), /"exitCode":0/, cmd);
  assert.ok(existsSync(join(workspace, "node_modules/.bin/tool")));
  assert.equal(statSync(join(workspace, "packages/tool/bin/tool.js")).mode & 0o111, 0o111);
});
