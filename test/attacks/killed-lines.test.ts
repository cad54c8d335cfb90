import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sandboxFor } from "../../src/act/tools/shell.fixture.ts";
import { type AgentWorld, calls, makeWorld } from "../agent-world.ts";

const seconds = 4;

/** A world in which an approved line made files and was killed with its agent while it ran; null without a sandbox. */
async function killedWorld(t: TestContext, script: string, made: string): Promise<AgentWorld | null> {
  if ((await sandboxFor(t)) === null) return null;
  const cmd = `bash -c '${script}; sleep 60'`;
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Again.", repeat: true }], {
    SHELL_TIMEOUT: `${seconds}`,
  });
  mkdirSync(world.path("sub"));
  writeFileSync(world.path("justfile"), "mine\n");
  const asked = await world.run(["ask", "build it"]);
  const token = /\/approve (\S+)/.exec(asked.err + asked.out)?.[1] ?? "";
  const killed = await world.run(["approve", token], {
    begun: ({ signal }) => void killOnceThere(world.path(made), () => signal("SIGKILL")),
  });
  assert.notEqual(killed.code, 0);
  return world;
}

async function killOnceThere(path: string, kill: () => void): Promise<void> {
  for (let tries = 0; tries < 1000 && !existsSync(path); tries += 1) await sleep(10);
  kill();
}

test("what a command made that is executed later gets a name that nothing obeys at the next start, where the agent was killed while it ran", async (t) => {
  const script =
    "echo evil > Makefile; echo evil > sub/conftest.py; mkdir -p .github/workflows; echo evil > .github/workflows/a.yml; echo x > a.txt; echo x > ready";
  const world = await killedWorld(t, script, "ready");
  if (world === null) return;
  await sleep(seconds * 1000);
  writeFileSync(world.path("AGENTS.md"), "my own words\n");
  mkdirSync(world.path(".husky"));
  const next = await world.run(["ask", "hello"]);
  assert.match(next.err, /Makefile is executed later \(.*\), and its making was not approved: it is now /);
  for (const name of ["Makefile", "sub/conftest.py", ".github/workflows/a.yml"])
    assert.equal(existsSync(world.path(name)), false, name);
  assert.equal(readFileSync(world.path("not-approved.Makefile.txt"), "utf8"), "evil\n");
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "x\n");
  assert.equal(readFileSync(world.path("justfile"), "utf8"), "mine\n");
  assert.equal(readFileSync(world.path("AGENTS.md"), "utf8"), "my own words\n", "made after the line");
  assert.ok(existsSync(world.path(".husky")), "made after the line");
  writeFileSync(world.path("Makefile"), "all:\n");
  const later = await world.run(["ask", "hello"]);
  assert.doesNotMatch(later.err, /was not approved/);
  assert.ok(existsSync(world.path("Makefile")), "it is looked at once");
});

test("a workspace that is gone when the agent starts again is passed over", async (t) => {
  const world = await killedWorld(t, "echo evil > Makefile", "Makefile");
  if (world === null) return;
  rmSync(world.workspace, { recursive: true });
  const next = await world.run(["ask", "hello"], { cwd: world.home });
  assert.doesNotMatch(next.err, /\n\s+at |ENOENT/);
});
