import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, explanation, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";

test("a command that is proved harmless runs without a question, and its output goes back", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "cat a.txt | wc -l" }]), { text: "Two lines." }]);
  writeFileSync(world.path("a.txt"), "one\ntwo\n");
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("how many lines?");
  assert.equal(said.end, "answered");
  assert.match(JSON.stringify(named(said.events, "outcome")[0]?.content), /"stdout":" *2\\n"/);
});

test("a command that was approved runs in the sandbox, and what it makes in the workspace is there", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(t, [calls(["shell", { cmd: "touch made.txt" }]), { text: "Made." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("make it");
  const [effect] = named(asked.events, "approval-required")[0]?.effects ?? [];
  assert.ok(effect?.kind === "run-program" && effect.confined);
  await talk.say(`/approve ${talk.token()}`);
  assert.ok(existsSync(world.path("made.txt")));
});

test("a command that fails is a result with its exit code", async (t) => {
  const world = await makeWorld(t, [
    calls(["shell", { cmd: "cat missing.txt" }]),
    { text: "There is none." },
  ]);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("show it");
  assert.match(sent(world, 1), /exitCode|exit code/);
});

test("an edit changes the one place that it names, and /undo brings the old text back", async (t) => {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "a.txt", old: "two", new: "2" }]),
    { text: "Edited." },
  ]);
  writeFileSync(world.path("a.txt"), "one\ntwo\nthree\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("edit it");
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "one\n2\nthree\n");
  await talk.say("/undo");
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "one\ntwo\nthree\n");
});

test("files are listed, searched and read below the workspace", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["list-files", { path: "." }],
      ["search-files", { pattern: "heliotrope" }],
      ["read-file", { path: "sub/b.txt" }],
    ),
    { text: "Done." },
  ]);
  mkdirSync(world.path("sub"));
  writeFileSync(world.path("sub/b.txt"), "a heliotrope\n");
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("look around");
  const contents = named(said.events, "outcome").map(({ content }) => JSON.stringify(content));
  assert.equal(contents.length, 3);
  assert.ok(contents.every((content) => content.includes("b.txt")));
});

test("a host always asks, and is not reached before the answer", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(calls(["fetch-url", { url: `${world.provider.url}/page` }]));
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("fetch it");
  assert.notEqual(named(said.events, "verdict")[0]?.verdict, "pass");
  assert.ok(world.provider.requests.every(({ path }) => path !== "/page"));
});

test("what will be executed later asks, inside the workspace too", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: ".git/hooks/pre-commit", content: "#!/bin/sh\n" }]),
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("add a hook");
  assert.equal(said.end, "approval-required");
  assert.match(said.text, /executed later/);
});

for (const [way, path] of [
  ["dots", "sub/../../out.txt"],
  ["a link", "exit/out.txt"],
] as const) {
  test(`a path that leaves the workspace by ${way} asks`, async (t) => {
    const world = await makeWorld(t, [calls(["write-file", { path, content: "x" }])]);
    mkdirSync(world.path("sub"));
    symlinkSync(world.home, world.path("exit"));
    await using daemon = await world.open();
    assert.equal((await (await talkTo(daemon)).say("write it")).end, "approval-required");
    assert.equal(existsSync(join(world.home, "out.txt")), false);
  });
}

for (const channel of ["telegram", "signal", "emacs", "tui"])
  test(`a message for ${channel}, which nobody can be reached over, asks nothing: the model is told what there is`, async (t) => {
    const form = `(:TARGET "${channel}" :PAYLOAD (:ACTION :MESSAGE :TEXT "To somebody else.") :EXPLANATION "${explanation}")`;
    const world = await makeWorld(t, [{ text: form }, { text: "I cannot reach them." }], {
      LOOP_TOOLS: "false",
    });
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const said = await talk.say("tell them");
    assert.equal(said.text, "I cannot reach them.");
    assert.deepEqual(named(said.events, "verdict"), []);
    assert.ok(named(talk.events, "text").every(({ text }) => !text.includes("somebody else")));
    assert.match(
      sent(world, 1),
      new RegExp(`There is no target .{1,4}${channel}.{1,4} The targets are: cli, tool, shell, system\\.`),
    );
  });

test("two notes of the same words are two, each with an ID of its own", async (t) => {
  const note = ["remember", { text: "The cat is called Mimi" }] as const;
  const world = await makeWorld(t, [calls(note, note), { text: "Kept." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("remember it twice")).text, "Kept.");
  const inbox = readFileSync(join(world.home, "memex", "inbox.org"), "utf8");
  const ids = [...inbox.matchAll(/^:ID: +([\da-f-]{36})$/gm)].map(([, id]) => id);
  assert.deepEqual([ids.length, new Set(ids).size], [2, 2]);
});

test("/undo of a note takes it out of the inbox and out of memory", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("/note The cat is called Mimi");
  await talk.say("/undo");
  // What was said is found still; the note is not.
  assert.doesNotMatch((await talk.say("/search Mimi")).text, /^\* The cat is called Mimi/m);
  assert.equal(existsSync(join(world.home, "memex", "inbox.org")), false);
});

test("a command that takes too long is ended, and its result says so", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "sleep 60" }]), { text: "Too long." }], {
    SHELL_TIMEOUT: "0.3",
  });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("wait");
  assert.equal(said.text, "Too long.");
  assert.match(sent(world, 1), /time|0\.3 s/);
});

test("a command's output is cut at its limit, and the result says so", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "cat big.txt" }]), { text: "Long." }], {
    SHELL_OUTPUT_LIMIT: "1000",
  });
  writeFileSync(world.path("big.txt"), "heliotrope\n".repeat(10_000));
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("show it");
  const content = JSON.stringify(named(said.events, "outcome")[0]?.content);
  assert.ok(content.length < 3000, `${content.length} characters`);
  assert.match(content, /cut|left out|limit/);
});

test("/stop ends a command with all the processes that it started", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const sleeping = `sleep\0${60 + Math.random()}`;
  const cmd = `sh -c '${sleeping.replace("\0", " ")} & wait'`;
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "never" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("wait");
  const running = talk.say(`/approve ${talk.token()}`);
  while (processesOf(sleeping).length === 0) await pause(10);
  await talk.say("/stop");
  assert.equal((await running).end, "stopped");
  assert.equal(world.provider.requests.length, 1);
  while (processesOf(sleeping).length > 0) await pause(10);
});

/** The processes of this machine with a command line. */
function processesOf(commandLine: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").startsWith(commandLine);
    } catch (error) {
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  });
}
