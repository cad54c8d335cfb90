import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../signal/json.ts";
import type { EditedText } from "./edited-text.ts";
import { openApp, painted, type ScriptedClient } from "./screen.fixture.ts";

/** Longer than Enter waits for the rest of a paste. */
const alone = 60;

/** What was said, without the requests of the screen itself. */
function said(client: ScriptedClient): readonly JsonObject[string][] {
  return client.sent.flatMap(({ payload }) =>
    JSON.stringify(payload ?? null).includes("user-input") ? [payload ?? null] : [],
  );
}

const accept = (client: ScriptedClient, turn: string): void =>
  client.tell({
    kind: "accepted",
    id: String(client.sent.findLast((one) => JSON.stringify(one).includes("user-input"))?.["id"]),
    message: { meta: { "turn-id": turn } },
  });

const ended = (code: string, outcome: string): JsonObject => ({
  type: "response",
  payload: { action: "message", text: "", outcome, code },
});

async function working(t: Parameters<typeof openApp>[0]) {
  const world = openApp(t);
  world.terminal.type(..."water the roses", "\r");
  await pause(alone);
  accept(world.client, "t1");
  world.turn("t1").thinking();
  return world;
}

test("Ctrl+S says words to the turn that runs, and Enter to the one after it; both are shown until they are taken in", async (t) => {
  const { terminal, client, turn } = await working(t);
  terminal.type(..."and the ferns", "\u0013");
  accept(client, "t2");
  terminal.type(..."then rest", "\r");
  await pause(alone);
  accept(client, "t3");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), / for this turn: and the ferns\n waits: then rest\n/);
  assert.deepEqual(said(client).slice(1), [
    { sensor: "user-input", text: "and the ferns", steer: true },
    { sensor: "user-input", text: "then rest" },
  ]);
  turn("t2").send(ended("joined", "answered"));
  turn("t1").answered("Both are watered.");
  await painted(terminal);
  assert.match(
    terminal.screen().join("\n"),
    /› water the roses\n\n › and the ferns\n\n Both are watered\.[\s\S]* waits: then rest\n/,
  );
});

test("with nothing running, Ctrl+S sends as Enter does", async (t) => {
  const { terminal, client } = openApp(t);
  terminal.type(..."hello", "\u0013");
  assert.deepEqual(said(client), [{ sensor: "user-input", text: "hello" }]);
});

test("Up on an empty line takes back what waits, the last first", async (t) => {
  const { terminal, client, turn } = await working(t);
  terminal.type(..."and the ferns", "\r");
  await pause(alone);
  accept(client, "t2");
  terminal.type("\u001b[A");
  assert.deepEqual(client.sent.at(-1)?.["payload"], { action: "take-back", turn: "t2" });
  await painted(terminal);
  assert.match(
    terminal.screen().join("\n"),
    / waits: and the ferns/,
    "it waits until the daemon has said so",
  );
  turn("t2").send(ended("taken-back", "stopped"));
  await painted(terminal);
  assert.ok(terminal.screen().includes(" › and the ferns"));
  assert.doesNotMatch(terminal.screen().join("\n"), /waits:/);
});

test("a stop gives words that waited back to the prompt, before what was being typed", async (t) => {
  const { terminal, client, turn } = await working(t);
  terminal.type(..."and the ferns", "\u0013");
  accept(client, "t2");
  terminal.type(..."draft", "\u001b");
  await pause(alone);
  turn("t2").send(ended("stopped", "stopped"));
  turn("t1").send(ended("stopped", "stopped"));
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), / › and the ferns\n {3}draft\n/);
});

test("Ctrl+X Ctrl+E edits the text elsewhere, pastes in full; where that fails it is as it was, and the reason is told", async (t) => {
  const given: string[] = [];
  const answers: EditedText[] = [
    { ok: true, text: "one\n\u001b[31mtwo" },
    { ok: false, reason: "The text is as it was: vi ended with code 1." },
  ];
  const { terminal } = openApp(t, {
    editText: async (text) => {
      given.push(text);
      return answers.shift() ?? { ok: true, text };
    },
  });
  const pasted = Array.from({ length: 12 }, (_, row) => `row ${row}`).join("\n");
  terminal.type(..."look: ", `\u001b[200~${pasted}\u001b[201~`, "\u0018", "\u0005");
  await painted(terminal);
  assert.deepEqual(given, [`look: ${pasted}`]);
  assert.match(terminal.screen().join("\n"), / › one\n {3}\[31mtwo\n/);
  terminal.type("\u0018", "\u0005");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /ended with code 1\.[\s\S]* › one\n/);
  terminal.type("\u0018", "x");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /twox\n/, "Ctrl+X alone changes nothing");
});

test("files that are dropped on the terminal are named, and what no model is given is said before", async (t) => {
  const there = new Set(["/home/ada/garden/my plan.txt", "/home/ada/photo.png"]);
  const { terminal } = openApp(t, {
    fileAt: (path) => (there.has(path) ? { kind: "file", bytes: 2_000 } : null),
  });
  terminal.type("\u001b[200~'/home/ada/garden/my plan.txt'\u001b[201~");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /my plan\.txt: 2 kB[\s\S]* › @"my plan\.txt"\n/);
  terminal.type("\u001b[200~/home/ada/photo.png \u001b[201~");
  await painted(terminal);
  assert.match(
    terminal.screen().join("\n"),
    /photo\.png: no model is given images[\s\S]* › @"my plan\.txt" @\/home\/ada\/photo\.png\n/,
  );
  terminal.type("\u001b[200~ /home/ada/gone.png\u001b[201~");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /photo\.png {2}?\/home\/ada\/gone\.png/);
});
