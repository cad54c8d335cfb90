import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../tools/shell/shell.fixture.ts";

test("git is told to take secret files for changed, and a pipe for nothing", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const folder = await makeScratchFolder(t);
  writeFileSync(join(folder, ".env"), "KEY=words");
  execFileSync("mkfifo", [join(folder, "p")]);
  for (const args of [
    ["init", "-q"],
    ["add", ".env"],
  ])
    execFileSync("git", ["-C", folder, ...args]);
  const said = outputOf(await shellIn(folder, { sandbox }).run("git status -s"));
  assert.match(said, /secret files \(\.env\), so that git takes them/);
  assert.match(said, /"hidden":\["\.env"\]/);
});
