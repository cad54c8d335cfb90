import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../signal/json.ts";
import { ask, work } from "./golden.fixture.ts";
import { openApp, openSession, painted, type ScriptedClient } from "./screen.fixture.ts";

const action = {
  target: "tool",
  payload: { tool: "shell", args: { cmd: "make install" } },
  explanation: "to build",
};
const effects = [{ kind: "run-program", target: "make", argv: ["make"], confined: true, reversal: "final" }];
const asked = (token: string, more: JsonObject = {}): JsonObject => ({
  token,
  action,
  effects,
  text: "make is not proved harmless",
  "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40),
  workspace: "/home/ada/garden",
  ...more,
});
/** Longer than a decision waits for another key, and Enter for the rest of a paste. */
const alone = 60;

function payloads(client: ScriptedClient): readonly JsonObject[string][] {
  return client.sent.map(({ payload }) => payload ?? null);
}

function answers(client: ScriptedClient): readonly JsonObject[string][] {
  return payloads(client).filter((payload) => /"(?:approve|deny|always)"/.test(JSON.stringify(payload)));
}

test("what is typed before the session is open is said once it is, and is on the screen at once", async (t) => {
  const { terminal, client } = openApp(t, { open: false });
  terminal.type("h", "i", "\r");
  await pause(alone);
  await painted(terminal);
  assert.ok(terminal.screen().includes(" › hi"));
  assert.equal(JSON.stringify(client.sent).includes("user-input"), false);
  openSession(client);
  const said = client.sent.filter(({ payload }) => JSON.stringify(payload).includes("user-input"));
  assert.deepEqual(said, [
    {
      type: "event",
      payload: { sensor: "user-input", text: "hi" },
      id: said[0]?.["id"],
      meta: { "session-id": "s1" },
    },
  ]);
});

test("a dialog takes no key in its first 300 ms, and what was being typed goes to the prompt", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").asks(asked("one"));
  await painted(terminal);
  for (const key of "yn") {
    time.now += 299;
    terminal.type(key);
  }
  await pause(alone);
  assert.deepEqual(answers(client), []);
  await painted(terminal);
  assert.ok(terminal.screen().some((row) => row.startsWith(" › yn")));
  time.now += 301;
  terminal.type("y");
  await pause(alone);
  assert.deepEqual(answers(client), [{ action: "approve", token: "one" }]);
});

test("keys that come together, and pastes, answer nothing", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").asks(asked("one"));
  await painted(terminal);
  time.now += 1_000;
  terminal.type("y", "e", "s");
  await pause(alone);
  time.now += 1_000;
  terminal.type("\u001b[200~y\u001b[201~");
  terminal.type("\r", "y");
  await pause(alone);
  assert.deepEqual(answers(client), []);
  assert.ok(terminal.screen().some((row) => row.includes("May I?")));
});

test("no and say why sends the reason, and gives back what stood at the prompt", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  terminal.type(..."half a thought");
  turn("t1").asks(asked("one"));
  await painted(terminal);
  time.now += 1_000;
  terminal.type("w");
  await pause(alone);
  terminal.type(..."use the package", "\r");
  await pause(alone);
  assert.deepEqual(answers(client), [{ action: "deny", token: "one", reason: "use the package" }]);
  await painted(terminal);
  assert.equal(terminal.screen().at(-2), " › half a thought", terminal.screen().join("\n"));
});

test("several questions wait in one dialog, each answered by its own token", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").asks(asked("one"));
  turn("t2").asks(
    asked("two", { action: { ...action, payload: { tool: "shell", args: { cmd: "make clean" } } } }),
  );
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /1 of 2 waiting/);
  time.now += 1_000;
  terminal.type("\t");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /make clean[\s\S]*2 of 2 waiting/);
  terminal.type("n");
  await pause(alone);
  assert.deepEqual(answers(client), [], "the next question has a guard of its own");
  time.now += 1_000;
  terminal.type("n");
  // Its guard begins when the other question comes into view.
  while (!terminal.screen().join("\n").includes("make install")) await painted(terminal);
  time.now += 1_000;
  terminal.type("y");
  await pause(alone);
  assert.deepEqual(answers(client), [
    { action: "deny", token: "two" },
    { action: "approve", token: "one" },
  ]);
});

test("a question that was answered elsewhere goes away, and an answer in the air is dropped", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").asks(asked("one"));
  await painted(terminal);
  time.now += 1_000;
  terminal.type("y");
  turn("t1").thinking();
  await pause(alone);
  assert.deepEqual(answers(client), []);
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /May I/);
});

test("a rule is kept only by a second key", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").asks(asked("one", { rule: "make in ~/garden" }));
  await painted(terminal);
  time.now += 1_000;
  terminal.type("a");
  await pause(alone);
  assert.deepEqual(answers(client), []);
  terminal.type("a");
  await pause(alone);
  assert.deepEqual(answers(client), [{ action: "always", token: "one", keep: true }]);
});

test("a question taller than the screen scrolls inside, down to its last word", async (t) => {
  const { terminal, turn, time } = openApp(t, { columns: 40, rows: 10 });
  const cmd = Array.from({ length: 40 }, (_, row) => `echo line ${row}`).join("\n");
  turn("t1").asks(asked("one", { action: { ...action, payload: { tool: "shell", args: { cmd } } } }));
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /more rows/);
  time.now += 1_000;
  for (let page = 0; page < 10; page += 1) terminal.type("\u001b[6~");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /The agent says: to build[\s\S]*all shown/);
});

test("the details of a question come into view by their key, and go by it", async (t) => {
  const world = openApp(t, { columns: 80, rows: 16 });
  const { terminal, time } = world;
  await work(world);
  await ask(world);
  time.now += 1_000;
  terminal.type("d");
  await painted(terminal);
  const details = terminal.screen().join("\n");
  assert.match(details, /\+ Water the roses on Saturday\.[\s\S]*more rows/);
  assert.match(details, /d hide/);
  terminal.type("d");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /│ Run this/);
});

test("what a paste brings is no command, except as the argument of a typed one", async (t) => {
  const { terminal, client } = openApp(t);
  const said = () => payloads(client).filter((payload) => JSON.stringify(payload).includes("user-input"));
  terminal.type("\u001b[200~/exit\u001b[201~", "\r");
  await pause(alone);
  assert.deepEqual(said(), [{ sensor: "user-input", text: "/exit", pasted: true }]);
  terminal.type(..."/note ", "\u001b[200~call Bob\u001b[201~", "\r");
  await pause(alone);
  assert.deepEqual(said().at(-1), { sensor: "user-input", text: "/note call Bob" });
  terminal.type("\r", "r", "m", "\r");
  await pause(alone);
  await painted(terminal);
  assert.equal(said().length, 2, "lines that arrive together are a paste, and nothing is sent");
});

test("a paste of more than a million characters is refused in words", async (t) => {
  const { terminal } = openApp(t);
  terminal.type(`\u001b[200~${"x".repeat(1_000_001)}\u001b[201~`);
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /The paste has 1000001 characters/);
});

test("the loss of the daemon is said, nothing typed is lost, and the session goes on", async (t) => {
  const { terminal, client, turn } = openApp(t);
  client.tell({ kind: "accepted", id: "x", message: { meta: { "turn-id": "t1" } } });
  turn("t1").chunk("half an ans");
  terminal.type(..."draft");
  client.tell({ kind: "waiting", code: "lost", error: "", reason: "gone", milliseconds: 50 });
  await painted(terminal);
  assert.match(terminal.screen()[0] ?? "", /daemon away · trying again$/);
  assert.ok(terminal.screen().includes(" › draft"));
  assert.doesNotMatch(terminal.screen().join("\n"), /half an ans/);
  const before = client.sent.length;
  openSession(client);
  const [opened, ...more] = client.sent.slice(before).map(({ payload }) => payload);
  assert.deepEqual(opened, { action: "session", name: "s1" });
  assert.deepEqual(more.at(-1), { action: "follow", turn: "t1" });
  await painted(terminal);
  assert.match(terminal.screen()[0] ?? "", /ok$/);
});

test("stopping is said until it stopped", async (t) => {
  const { terminal, turn } = openApp(t);
  const t1 = turn("t1");
  t1.thinking();
  terminal.type("\u001b");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /stopping …/);
  t1.answered("Stopped.");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /stopping …/);
});

test("nothing is written while nothing happens", async (t) => {
  const { terminal, turn } = openApp(t);
  turn("t1").answered("Done.");
  await pause(600);
  const before = terminal.written.length;
  await pause(1_500);
  assert.equal(terminal.written.length, before);
});

test("scrolled up, new text is counted below and moves nothing", async (t) => {
  const { terminal, turn } = openApp(t);
  for (let index = 0; index < 30; index += 1) turn(`t${index}`).answered(`Answer ${index}.`);
  await painted(terminal);
  terminal.type("\u001b[5~");
  await painted(terminal);
  const before = terminal.screen().slice(0, -5);
  turn("t99").answered("The newest.");
  await painted(terminal);
  assert.deepEqual(terminal.screen().slice(0, -5), before);
  assert.match(terminal.screen().join("\n"), /↓ 1 new below/);
  terminal.type("\u001b[F");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /The newest\./);
});

test("what is said while a turn runs waits below it, and stands above its own answer", async (t) => {
  const { terminal, client, app, turn } = openApp(t);
  app.conversation.addWords("a", "first");
  client.tell({ kind: "accepted", id: "a", message: { meta: { "turn-id": "t1" } } });
  turn("t1").thinking();
  app.conversation.addWords("b", "second");
  turn("t1").chunk("One");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /› first\n\n One\n[\s\S]* waits: second\n/);
  client.tell({ kind: "accepted", id: "b", message: { meta: { "turn-id": "t2" } } });
  turn("t1").answered("One.");
  turn("t2").thinking();
  turn("t2").answered("Two.");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /› first\n\n One\.\n\n › second\n\n Two\./);
  assert.doesNotMatch(terminal.screen().join("\n"), /waits:/);
});
