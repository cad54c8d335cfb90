import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

test("wrong usage ends with 2 and shows the synopsis", async (t) => {
  const world = await makeWorld(t);
  const wrong = [
    ["ask", "--no-such-option", "hi"],
    ["ask", "--session", "a", "--continue", "hi"],
    ["ask"],
    ["judge", "--workspace"],
    ["journal", "shred"],
    ["memory"],
    ["doctor", "--dry-run"],
    ["doctor", "--fix", "--watch"],
    ["doctor", "please"],
    ["--no-such-option"],
  ];
  for (const { code, err, out } of await Promise.all(wrong.map((args) => world.command(args)))) {
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, /Usage: passepartout/);
  }
  assert.equal(existsSync(world.state), false);
});

test("--help after a command prints its help on standard output, and ends with 0", async (t) => {
  const world = await makeWorld(t);
  const names = [
    "ask",
    "approve",
    "deny",
    "judge",
    "journal",
    "memory",
    "daemon",
    "doctor",
    "diagnostics",
    "tui",
    "cli",
  ];
  const done = await Promise.all(names.map((name) => world.command([name, "--help"])));
  for (const { code, out, err } of done) {
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^Usage: passepartout /);
  }
  assert.equal(existsSync(world.state), false);
  assert.match((await world.command(["ask", "--frob"])).err, /^passepartout: Unknown option --frob\./);
});

test("tui without a terminal says what to use there, and starts nothing", async (t) => {
  const world = await makeWorld(t);
  const { code, out, err } = await world.run(["tui"], { input: "hello\n" });
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /needs a terminal that can be filled\. Use passepartout cli here\./);
  assert.equal(existsSync(world.state), false);
});

test("a command that does not exist ends with 2 and names it", async (t) => {
  const world = await makeWorld(t);
  const done = await world.command(["frobnicate"]);
  assert.equal(done.code, 2);
  assert.match(done.err, /There is no command 'frobnicate'\./);
});

test("--version and --help need no state, and create none", async (t) => {
  const world = await makeWorld(t);
  const [version, help] = await Promise.all([world.run(["--version"]), world.command(["--help"])]);
  assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
  assert.match(help.out, /Exit codes: 0 answered or done, 1 failed, 2 wrong usage, 3 blocked/);
  assert.deepEqual([version.code, help.code, existsSync(world.state)], [0, 0, false]);
});

test("a reader that closes the stream early does no harm", async (t) => {
  const world = await makeWorld(t, [{ text: "A long tale.\n".repeat(50_000) }]);
  const done = await world.run(["ask", "tell me"], { reads: 100 });
  assert.equal(done.err, "");
  assert.equal(done.code, 0);
});

test("completion prints a script that a real bash loads, and names the sessions that it offers", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }, { text: "Hello again." }]);
  const script = await world.command(["completion", "bash"]);
  assert.deepEqual([script.code, script.err], [0, ""]);
  const loaded = spawnSync("bash", ["--norc", "-s"], {
    input: `${script.out}\ncomplete -p passepartout`,
    encoding: "utf8",
  });
  assert.deepEqual(
    [loaded.status, loaded.stdout, loaded.stderr],
    [0, "complete -o default -F _passepartout passepartout\n", ""],
  );
  await world.command(["ask", "--session", "garden", "hi"]);
  await world.command(["ask", "hi"]);
  const [all, named] = await Promise.all([
    world.command(["completion", "sessions"]),
    world.command(["completion", "sessions", "--named"]),
  ]);
  assert.match(all.out, /^[0-9a-f]{8}\ngarden\n$/);
  assert.equal(named.out, "garden\n");
});
