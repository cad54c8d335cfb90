import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../../src/act/tools/shell/shell.fixture.ts";
import { openJudge } from "./fuzz-commands.ts";

test("no command passes that only looks as if it read: options and settings that write, run, send or read a secret", async (context) => {
  const home = await makeScratchFolder(context);
  const judge = openJudge(home);
  const workspace = join(home, "work");
  execFileSync("git", ["init", "-q", workspace]);
  for (const name of ["-n", "-"]) symlinkSync(".env", join(workspace, name));
  const lines = readFileSync(new URL("looking-harmless.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  assert.ok(lines.length > 300);
  const passed: string[] = [];
  for (const line of lines) if ((await judge(line)) === "pass") passed.push(line);
  assert.deepEqual(passed, []);
});
