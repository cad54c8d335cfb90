import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, isMissing, makeWorld } from "../agent-world.ts";
import { openTerminal } from "../open-terminal.ts";

test("a conversation over a pipe greets, answers line by line, and ends with its input", async (t) => {
  const world = await makeWorld(t, [{ text: "Good morning." }]);
  const done = await world.command([], { input: "good morning\n" });
  assert.equal(done.code, 0);
  assert.match(
    done.out,
    /^Passepartout \S+\. Workspace .*work\. \/help lists the commands, \/exit leaves\.\n/,
  );
  assert.match(done.out, /Good morning\.\n$/);
});

test("cli starts the conversation", async (t) => {
  const world = await makeWorld(t, [{ text: "Good morning." }]);
  const done = await world.command(["cli"], { input: "good morning\n" });
  assert.match(done.out, /Good morning\.\n$/);
});

test("/exit leaves a conversation after the last message is answered", async (t) => {
  const world = await makeWorld(t, [{ text: "One last word.", pauseMs: 20 }]);
  const done = await world.command([], { input: "say something\n/exit\nnever heard\n" });
  assert.equal(done.code, 0);
  assert.match(done.out, /One last word\./);
  assert.equal(world.provider.requests.length, 1);
});

test("a failure in a conversation is reported, and the conversation continues", async (t) => {
  const world = await makeWorld(t, [{ status: 401 }, { text: "Here again." }]);
  const done = await world.command([], { input: "one\ntwo\n" });
  assert.equal(done.code, 0);
  assert.match(done.err, /failed: .*No provider could answer/);
  assert.match(done.out, /Here again\./);
});

test("--continue continues the last session", async (t) => {
  const world = await makeWorld(t, [{ text: "Heliotrope is noted." }, { text: "Heliotrope." }]);
  await world.command([], { input: "the word is heliotrope\n" });
  await world.command(["--continue"], { input: "what is the word?\n" });
  assert.match(world.provider.requests[1]?.body ?? "", /Heliotrope is noted/);
});

test("in a terminal a person is asked, types the approval, and the action runs", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t);
  world.provider.add(calls(["write-file", { path: join(world.home, "out.txt"), content: "x" }]), {
    text: "It is written.",
  });
  await using terminal = await openTerminal(world);
  const { type, press, shows } = terminal;
  await shows(/^> $/m);
  type("write it");
  press("Enter");
  await shows(/May I\? [\s\S]*Yes: y$/m);
  assert.equal(existsSync(join(world.home, "out.txt")), false);
  // A word that is typed before anybody can have read the question answers nothing.
  await pause(400);
  type("y");
  press("Enter");
  await shows(/It is written\./);
  assert.ok(existsSync(join(world.home, "out.txt")));
  type("/exit");
  press("Enter");
  await shows(/left with 0/);
});

test("in a terminal the first Ctrl-C stops the turn, and a second leaves", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [{ fault: "hang" }]);
  await using terminal = await openTerminal(world);
  const { type, press, shows } = terminal;
  await shows(/^> $/m);
  type("think for ever");
  press("Enter");
  await world.provider.reached(1);
  press("C-c");
  await shows(/stopped: Stopped\./);
  press("C-c");
  await shows(/left with 0/);
});

test("in a terminal an answer streams, and its control characters stay visible text", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    { text: ["Careful: \u001b]0;owned\u0007", "\u001b[2J", " is only text."] },
  ]);
  writeFileSync(world.path("a.txt"), "x");
  await using terminal = await openTerminal(world);
  const { type, press, shows } = terminal;
  await shows(/^> $/m);
  type("hello");
  press("Enter");
  const text = await shows(/is only text\./);
  assert.match(text, /> hello[\s\S]*Careful: /);
});

test("in a terminal an answer that was not streamed is shown, also after a streamed note", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const world = await makeWorld(t, [
    { text: "I will look around.", ...calls(["list-files", { path: "." }]) },
    { text: "```\nan answer in a fence\n```" },
  ]);
  await using terminal = await openTerminal(world);
  const { type, press, shows } = terminal;
  await shows(/^> $/m);
  type("look");
  press("Enter");
  const text = await shows(/an answer in a fence/);
  assert.match(text, /^│ I will look around\.$/m);
});
