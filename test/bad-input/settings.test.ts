import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

/** Writes the `.env` of a world's configuration folder. */
function configure(world: AgentWorld, text: string): void {
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(join(world.configuration, ".env"), text);
}

test("a line of .env that cannot be parsed is reported by its number, and never shown", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  configure(world, "MEMEX_ASSISTANT=Ada\nheliotrope-is-my-password\n# a remark\n\n=nothing\n");
  const done = await world.command(["ask", "hi"]);
  assert.deepEqual([done.code, done.out], [0, "Hello.\n"]);
  assert.match(done.err, /\.env, line 2 is not NAME=value and is ignored/);
  assert.match(done.err, /\.env, line 5 is not NAME=value/);
  assert.ok(!done.err.includes("heliotrope"));
  assert.match(sent(world, 0), /Ada/);
});

test("an .env that is a folder is named, and nothing starts; doctor says the same", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  mkdirSync(join(world.configuration, ".env"), { recursive: true });
  const done = await world.command(["ask", "hi"]);
  assert.deepEqual([done.code, done.out], [1, ""]);
  assert.match(done.err, /\.env cannot be used \(it is not a file\), so nothing starts/);
  assert.equal(world.provider.requests.length, 0);
  const seen = await world.command(["doctor"]);
  assert.match(seen.out, /BAD +settings: .*\.env cannot be used/);
});

test("a setting that cannot be parsed is reported at the start with the value used instead", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  await using daemon = await world.open({ SHELL_TIMEOUT: "soon", DEFAULT_ACTUATOR: "carrier-pigeon" });
  const notices = daemon.notices.join("\n");
  assert.match(notices, /SHELL_TIMEOUT is not a number of 0 or more; 30 is used/);
  assert.match(notices, /DEFAULT_ACTUATOR is not one of cli, tui; cli is used/);
  assert.equal((await (await talkTo(daemon)).say("hi")).text, "Hello.");
});

test("settings and state are where the XDG folders are", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const place = (name: string): string => join(world.home, "elsewhere", name);
  mkdirSync(place("config/passepartout"), { recursive: true });
  writeFileSync(place("config/passepartout/.env"), "MEMEX_ASSISTANT=Ada\n");
  const settings = { XDG_CONFIG_HOME: place("config"), XDG_STATE_HOME: place("state") };
  const done = await world.command(["ask", "hi"], { settings });
  assert.deepEqual([done.code, done.out], [0, "Hello.\n"]);
  assert.match(sent(world, 0), /You are Ada/);
  assert.ok(existsSync(place("state/passepartout/journal.jsonl")));
  assert.equal(existsSync(world.state), false);
});

test("the environment of the process wins over .env", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  configure(world, "MEMEX_ASSISTANT=Ada\nLOOP_MODEL=from-file\n");
  await using daemon = await world.open({ LOOP_MODEL: "from-process" });
  await (await talkTo(daemon)).say("hi");
  assert.match(sent(world, 0), /"model":"from-process"/);
  assert.match(sent(world, 0), /Ada/);
});

test("permissions that cannot be parsed mean that every tool asks", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }])], {
    TOOL_PERMISSIONS: "shell=perhaps",
  });
  await using daemon = await world.open();
  assert.match(daemon.notices.join("\n"), /TOOL_PERMISSIONS is not a list such as .*; \*=ask is used/);
  assert.equal((await (await talkTo(daemon)).say("list")).end, "approval-required");
});

test("a budget that cannot be parsed is 0, so nothing is spent", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }], {
    LOOP_INPUT_PRICE: "1",
    LOOP_OUTPUT_PRICE: "1",
    BUDGET_PER_DAY: "plenty",
  });
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("hi")).code, "over-budget");
  assert.equal(world.provider.requests.length, 0);
});

test("a depth limit that cannot be parsed is the lower limit", async (t) => {
  // Each step differs from the ones before: the same call again and again ends a turn earlier.
  const steps = Array.from({ length: 12 }, (_, depth) =>
    calls(["list-files", { path: ".", depth: depth + 1 }]),
  );
  const world = await makeWorld(t, steps, { DEPTH_LIMIT: "-1" });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("list for ever");
  assert.equal(said.code, "depth-limit");
  assert.equal(world.provider.requests.length, 10);
});

test("an approval expiry that cannot be parsed is short", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }])], {
    APPROVAL_EXPIRY: "never",
  });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("make it");
  const [question] = named(said.events, "approval-required");
  assert.ok((question?.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now() + 60_000);
});

test("a provider in the cascade that is not set up is skipped and named", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], { PROVIDER_CASCADE: "nowhere,loop" });
  await using daemon = await world.open();
  assert.match(daemon.notices.join("\n"), /The provider nowhere has no address: set NOWHERE_BASE_URL/);
  assert.equal((await (await talkTo(daemon)).say("hi")).text, "Hello.");
});

test("a provider's address with a password in it is refused, and the password is not shown", async (t) => {
  const world = await makeWorld(t);
  const done = await world.command(["ask", "hi"], {
    settings: { LOOP_BASE_URL: "http://owner:heliotrope@127.0.0.1:9/v1" },
  });
  assert.equal(done.code, 6);
  assert.match(done.err, /The address of the provider loop holds a password/);
  assert.ok(!done.err.includes("heliotrope"));
});

test("words that are too long are refused with a reason, and no provider is asked", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  const done = await world.command(["ask"], { input: "x".repeat(1_000_001) });
  assert.deepEqual([done.code, done.out], [1, ""]);
  assert.match(done.err, /1[,.]?000[,.]?000|long/);
  assert.equal(world.provider.requests.length, 0);
});

test("a notes folder that cannot be written is an error of the tool, and the agent goes on", async (t) => {
  const world = await makeWorld(t, [
    calls(["remember", { text: "The cat is called Mimi" }]),
    { text: "Not kept." },
  ]);
  writeFileSync(join(world.home, "in-the-way"), "x");
  await using daemon = await world.open({ MEMEX_DIR: join(world.home, "in-the-way", "notes") });
  const said = await (await talkTo(daemon)).say("remember it");
  assert.equal(said.text, "Not kept.");
  assert.equal(named(said.events, "outcome")[0]?.status, "error");
});
