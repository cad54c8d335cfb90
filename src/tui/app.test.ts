import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../text/json.ts";
import { openApp, openSession, painted, type ScriptedClient } from "./screen.fixture.ts";

/** Longer than a decision waits for another key, and Enter for the rest of a paste. */
const alone = 500;

function payloads(client: ScriptedClient): readonly JsonObject[string][] {
  return client.sent.map(({ payload }) => payload ?? null);
}

test("what is typed before the session is open is said once it is, and is on the screen at once", async (t) => {
  const { terminal, client, time } = openApp(t, { open: false });
  terminal.type("h", "i", "\r");
  time.now += alone;
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

test("what a paste brings is no command, except as the argument of a typed one", async (t) => {
  const { terminal, client, time } = openApp(t);
  const said = () => payloads(client).filter((payload) => JSON.stringify(payload).includes("user-input"));
  terminal.type("\u001b[200~/exit\u001b[201~", "\r");
  time.now += alone;
  assert.deepEqual(said(), [{ sensor: "user-input", text: "/exit", pasted: true, pastes: ["/exit"] }]);
  terminal.type(..."/note ", "\u001b[200~call Bob\u001b[201~", "\r");
  time.now += alone;
  assert.deepEqual(said().at(-1), { sensor: "user-input", text: "/note call Bob", pastes: ["call Bob"] });
  terminal.type("\r", "r", "m", "\r");
  time.now += alone;
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
