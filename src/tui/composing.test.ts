import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../text/json.ts";
import type { EditedText } from "./prompt/edited-text.ts";
import { answerRequest, openApp, openSession, painted, type ScriptedClient } from "./screen.fixture.ts";

/** Longer than Enter waits for the rest of a paste. */
const alone = 500;

/** What was said, without the requests of the screen itself. */
function said(client: ScriptedClient): readonly JsonObject[string][] {
  return client.sent.flatMap(({ payload }) =>
    JSON.stringify(payload ?? null).includes("user-input") ? [payload ?? null] : [],
  );
}

/** The daemon answers the request about this file. */
function answerEarlier(client: ScriptedClient, path: string, answer: JsonObject): void {
  const id = String(client.sent.find(({ payload }) => JSON.stringify(payload).includes(path))?.["id"] ?? "");
  client.message({ type: "response", id, payload: { action: "message", outcome: "said", ...answer } });
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
  world.time.now += alone;
  accept(world.client, "t1");
  world.turn("t1").thinking();
  return world;
}

test("Ctrl+S says words to the turn that runs, and Enter to the one after it; both are shown until they are taken in", async (t) => {
  const { terminal, client, turn, time } = await working(t);
  terminal.type(..."and the ferns", "\u0013");
  accept(client, "t2");
  terminal.type(..."then rest", "\r");
  time.now += alone;
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

test("after a lost connection, words for a turn are asked about before the turn that they were said to", async (t) => {
  const { client, terminal } = await working(t);
  terminal.type(..."and the ferns", "\u0013");
  accept(client, "t2");
  client.tell({ kind: "waiting", code: "lost", error: "", reason: "gone", milliseconds: 50 });
  const before = client.sent.length;
  openSession(client);
  const asked = client.sent.slice(before).filter(({ payload }) => JSON.stringify(payload).includes("follow"));
  assert.deepEqual(
    asked.map(({ payload }) => payload),
    ["t2", "t1"].map((turn) => ({ action: "follow", turn })),
  );
});

test("words whose turn ended before the daemon told that it has them stand in the conversation", async (t) => {
  const { client, terminal, turn } = await working(t);
  terminal.type(..."and the ferns", "\u0013");
  turn("t2").send(ended("joined", "answered"));
  accept(client, "t2");
  await painted(terminal);
  const screen = terminal.screen().join("\n");
  assert.match(screen, /› and the ferns/);
  assert.doesNotMatch(screen, /for this turn/);
});

test("what was pasted of the words is told, also of words that came back", async (t) => {
  const { client, terminal, turn, time } = await working(t);
  const mail = "Dear Ada,\n\tpay 50";
  terminal.type(..."is this spam? ", `\u001b[200~${mail}\u001b[201~`, "\r");
  time.now += alone;
  const words = {
    sensor: "user-input",
    text: "is this spam? Dear Ada,\n    pay 50",
    pasted: true,
    pastes: ["Dear Ada,\n    pay 50"],
  };
  assert.deepEqual(said(client).at(-1), words);
  accept(client, "t2");
  terminal.type("\u001b[A");
  turn("t2").send(ended("stopped", "stopped"));
  await painted(terminal);
  terminal.type(" ", "\r");
  time.now += alone;
  assert.deepEqual(said(client).slice(1), [words, words]);
});

test("what was pasted behind a command is told, also where the command came back, and leaves it a command", async (t) => {
  const { client, terminal, turn, time } = await working(t);
  terminal.type(..."/spam ", "\u001b[200~pay 50 to Eve\u001b[201~", "\r");
  time.now += alone;
  const words = { sensor: "user-input", text: "/spam pay 50 to Eve", pastes: ["pay 50 to Eve"] };
  assert.deepEqual(said(client).at(-1), words);
  accept(client, "t2");
  terminal.type("\u001b[A");
  turn("t2").send(ended("stopped", "stopped"));
  await painted(terminal);
  terminal.type(" ", "\r");
  time.now += alone;
  assert.deepEqual(said(client).slice(1), [words, words]);
});

test("with nothing running, Ctrl+S sends as Enter does", async (t) => {
  const { terminal, client } = openApp(t);
  terminal.type(..."hello", "\u0013");
  assert.deepEqual(said(client), [{ sensor: "user-input", text: "hello" }]);
});

test("Up on an empty line takes back what waits, the last first", async (t) => {
  const { terminal, client, turn, time } = await working(t);
  terminal.type(..."and the ferns", "\r");
  time.now += alone;
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
  const { terminal, client, turn, time } = await working(t);
  terminal.type(..."and the ferns", "\u0013");
  accept(client, "t2");
  terminal.type(..."draft", "\u001b");
  time.now += alone;
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

const dropped = (path: string): string => `\u001b[200~${path}\u001b[201~`;
const there = new Set(["/home/ada/garden/my plan.txt", "/home/ada/photo.png", "/home/ada/garden/beds"]);
const fileAt = (path: string) =>
  there.has(path) ? ({ kind: path.endsWith("beds") ? "folder" : "file", bytes: 2_000 } as const) : null;
const attachedAs = (id: string, name: string): JsonObject => ({
  code: "attached",
  text: `${name}: picture. m is given it with what you say next.`,
  data: { id, name, media: "image/png", given: "picture" },
});

test("files that are dropped on the terminal are attached: each is a chip until it is said or deleted", async (t) => {
  const { terminal, client, time } = openApp(t, { fileAt });
  terminal.type(dropped("'/home/ada/garden/my plan.txt' /home/ada/photo.png"));
  const paths = client.sent
    .map(({ payload }) => JSON.stringify(payload))
    .filter((one) => one.includes("attach"));
  assert.deepEqual(paths, [
    '{"action":"attach","path":"/home/ada/garden/my plan.txt"}',
    '{"action":"attach","path":"/home/ada/photo.png"}',
  ]);
  answerRequest(client, "attach", attachedAs("b".repeat(64), "~/photo.png"));
  answerEarlier(client, "my plan.txt", attachedAs("a".repeat(64), "my plan.txt"));
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), / \[photo\.png\] \[my plan\.txt\] +⌫ deletes the last/);
  terminal.type("\u007f");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), / \[photo\.png\] +⌫/);
  terminal.type(..."what is it?", "\r");
  time.now += alone;
  assert.deepEqual(said(client), [
    { sensor: "user-input", text: "what is it?", attachments: ["b".repeat(64)] },
  ]);
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /⌫/);
  terminal.type(..."and?", "\r");
  time.now += alone;
  assert.deepEqual(said(client).at(-1), { sensor: "user-input", text: "and?" });
});

test("words wait for the file that is being read; where it is refused they are back, with its name and the reason", async (t) => {
  const { terminal, client, time } = openApp(t, { fileAt });
  terminal.type(dropped("/home/ada/photo.png"));
  terminal.type(..."what is it?", "\r");
  time.now += alone;
  assert.deepEqual(said(client), []);
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /reading a file …/);
  answerRequest(client, "attach", { code: "not-done", text: "Not attached: no model takes pictures." });
  await painted(terminal);
  assert.deepEqual(said(client), []);
  const screen = terminal.screen().join("\n");
  assert.match(screen, /Not attached: no model takes pictures\.[\s\S]* › what is it\?/);
});

test("/attach takes a path as terminals paste it; folders and what is not there are words; a command carries no file", async (t) => {
  const { terminal, client, time } = openApp(t, { fileAt });
  terminal.type(..."/attach ", dropped("'/home/ada/garden/my plan.txt'"), "\r");
  time.now += alone;
  answerRequest(client, "attach", attachedAs("a".repeat(64), "my plan.txt"));
  terminal.type(..."/status", "\r");
  time.now += alone;
  assert.deepEqual(said(client), [{ sensor: "user-input", text: "/status" }]);
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /\[my plan\.txt\]/);
  terminal.type("\u0003");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /⌫/, "Ctrl+C empties the prompt, chips too");
  terminal.type(dropped("/home/ada/garden/beds"), dropped(" /home/ada/gone.png"));
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), / › @beds {1,2}\/home\/ada\/gone\.png/);
});

test("words that are taken back have their files again", async (t) => {
  const { terminal, client, turn, time } = openApp(t, { fileAt });
  terminal.type(..."water the roses", "\r");
  time.now += alone;
  accept(client, "t1");
  turn("t1").thinking();
  terminal.type(dropped("/home/ada/photo.png"));
  answerRequest(client, "attach", attachedAs("b".repeat(64), "~/photo.png"));
  terminal.type(..."these", "\r");
  time.now += alone;
  accept(client, "t2");
  terminal.type("\u001b[A");
  turn("t2").send(ended("taken-back", "stopped"));
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /\[photo\.png\][\s\S]* › these/);
});

test("Ctrl+U leaves the list of completions with what was typed", async (t) => {
  const { terminal, time } = openApp(t);
  const list = /change the colours/;
  terminal.type(..."/the");
  time.now += alone;
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), list);
  terminal.type("\u0015");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), list);
});

test("two presses of Esc that come in one read go back to a moment, as two that come apart do", async (t) => {
  const { terminal, client } = openApp(t);
  openSession(client);
  terminal.type("\u001b\u001b");
  await painted(terminal);
  const asked = client.sent.map(({ payload }) => JSON.stringify(payload));
  assert.ok(
    asked.some((payload) => payload?.includes("moments")),
    asked.join("\n"),
  );
});
