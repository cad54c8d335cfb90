import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld } from "../agent-world.ts";

test("a clone's own git, cp and timeout run nowhere, whatever the owner's PATH names", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "git status --short" }]), { text: "Clean." }]);
  const programs = world.path("node_modules/.bin");
  mkdirSync(programs, { recursive: true });
  execFileSync("git", ["init", "--quiet", world.workspace]);
  const ran = join(world.home, "ran");
  for (const name of ["git", "cp", "timeout", "sync", "bwrap", "xdg-open", "secret-tool"])
    writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} >> ${ran}\n`, { mode: 0o755 });
  const settings = { PATH: `./node_modules/.bin:${programs}:${world.environment["PATH"] ?? ""}` };
  const asked = await world.command(["ask", "What does git status say?"], { settings });
  assert.match(asked.err, /would run a program from a folder that the agent may write/);
  assert.equal(existsSync(ran), false);
});
