import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../text/json.ts";
import { answerRequest, looked, openApp, openSession, painted } from "./screen.fixture.ts";

/** Longer than Enter waits for the rest of a paste. */
const alone = 500;

test("a locked vault asks for its passphrase, which is shown by dots, sent once, and in no history", async (t) => {
  const kept: string[] = [];
  const { terminal, client, time } = openApp(t, {
    history: { entries: () => [], add: (text) => void kept.push(text) },
  });
  terminal.type(..."he");
  answerRequest(client, "vault-status", { code: "vault-locked" });
  terminal.type(..."llo");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /Passphrase of the vault:/);
  assert.doesNotMatch(terminal.screen().join("\n"), /•/);
  time.now += 1_000;
  terminal.type(..."secret", "\u001b[200~ word\u001b[201~");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /Passphrase of the vault: •{11}/);
  assert.equal(terminal.written.join("").includes("secret"), false);
  terminal.type("\r");
  time.now += alone;
  const sent = client.sent
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes("vault-unlock"));
  assert.deepEqual(sent, [{ action: "vault-unlock", passphrase: "secret word" }]);
  answerRequest(client, "vault-unlock", {
    outcome: "refused",
    code: "wrong-passphrase",
    text: "That is not it.",
  });
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /! That is not it\.[\s\S]*Passphrase of the vault:/);
  terminal.type("\u001b");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /Passphrase of/);
  assert.deepEqual(kept, []);
});

test("what a program hides is answered in a masked field, under its own words; once it asks no longer, keys go nowhere until Enter", async (t) => {
  const { terminal, client, time, turn } = openApp(t);
  const prompt = (id: string, more: JsonObject = {}) =>
    turn("t1").send({
      type: "status",
      payload: { action: "hidden-prompt", id, program: "ssh", text: "Approve? [y/n]\nPass:", ...more },
    });
  const shown = async (): Promise<string> => {
    await painted(terminal);
    return terminal.screen().join("\n");
  };
  const answers = () =>
    client.sent
      .map(({ payload }) => payload)
      .filter((payload) => JSON.stringify(payload).includes("answer-hidden"));
  terminal.type(..."he");
  prompt("h1");
  prompt("h2");
  terminal.type(..."llo");
  assert.match(await shown(), /ssh asks for .*not Passepartout's:\n {3}│ Approve\? \[y\/n\]\n {3}│ Pass:\n/);
  time.now += 1_000;
  terminal.type(..."open", "\u001b[200~ sesame\u001b[201~");
  assert.match(await shown(), /Your answer: •{11}\n/);
  terminal.type("\r");
  time.now += alone;
  assert.deepEqual(answers(), [{ action: "answer-hidden", prompt: "h1", answer: "open sesame" }]);
  answerRequest(client, "answer-hidden", { code: "hidden-prompt-answered", text: "Typed into ssh." });
  time.now += 300;
  terminal.type(..."half");
  prompt("h2", { over: true });
  assert.match(await shown(), /Typed into ssh\.[\s\S]*ssh asks no longer/);
  terminal.type(..."rest", "\r");
  time.now += alone;
  assert.match(await shown(), /› hello/);
  prompt("h3");
  time.now += 300;
  terminal.type("\u001b");
  await shown();
  assert.deepEqual(answers().slice(1), [{ action: "answer-hidden", prompt: "h3" }]);
  prompt("h4");
  client.tell({ kind: "waiting", code: "lost", error: "", reason: "", milliseconds: 9 });
  assert.match(await shown(), /ssh asks no longer/);
  assert.doesNotMatch(terminal.written.join(""), /sesame|half|rest/);
});

test("a locked vault that no provider in use needs asks for nothing", async (t) => {
  const { terminal, client } = openApp(t);
  answerRequest(client, "vault-status", { code: "vault-locked", data: { needed: false } });
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /Passphrase/);
});

test("an answer that is what a program printed stands as it was printed, now and when it is continued", async (t) => {
  const { terminal, client, turn, app } = openApp(t, { open: false });
  await looked(app);
  const printed = "# no heading\n\n* topic\n  __init__.py **bold**\n| a | b |\n|---|---|\n```\nleft";
  openSession(client, { "last-turn-id": "t0", "last-state": "answered", "last-words": "!cat a" });
  const past = {
    id: "t0",
    words: "!cat a",
    answer: printed,
    "answer-left": 0,
    state: "answered",
    plain: true,
  };
  answerRequest(client, "history", { data: [past] });
  turn("t1").answered(printed, { plain: true });
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.equal(shown.split(printed.replaceAll(/^(?=.)/gm, " ")).length, 3, shown);
});

test("a session that is continued shows what was said before, each once, and an unseen answer whole", async (t) => {
  const { terminal, client, turn } = openApp(t, { open: false });
  turn("t1").answered("The whole answer that nobody saw.");
  openSession(client, { "last-turn-id": "t1", "last-state": "answered", "last-words": "and?" });
  const past = (id: string, words: string, answer: string): JsonObject => ({
    id,
    words,
    answer,
    "answer-left": 9,
    state: "answered",
  });
  answerRequest(client, "history", { data: [past("t0", "first", "One."), past("t1", "and?", "The whole")] });
  turn("t1").answered("The whole answer that nobody saw.");
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(
    shown,
    /› first\n\n One\.[\s\S]*9 characters more[\s\S]*› and\?\n\n The whole answer that nobody saw\./,
  );
  assert.equal(shown.split("nobody saw").length, 2);
});

test("the status bar says provider, model, notes and context, and a line below the answer what the turn took", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").thinking();
  time.now += 400;
  turn("t1").answered("Done.");
  const data = {
    provider: "ollama",
    model: "qwen3",
    "notes-shown": 2,
    "context-used": 1400,
    "context-window": 32_000,
    rules: 3,
    "today-microdollars": 20_000,
    "focus-title": "Call Hansen",
    "turn-input-tokens": 500,
    "turn-output-tokens": 12,
    "turn-microdollars": 0,
  };
  answerRequest(client, "overview", { data });
  await painted(terminal);
  assert.match(
    terminal.screen()[0] ?? "",
    /~\/garden · ollama\/qwen3 · 2 notes in focus · 1\.4k of 32k · today \$0\.02/,
  );
  assert.match(terminal.screen().join("\n"), /↳ focus: Call Hansen · 2 notes near · 512 tokens, 0.4 s, free/);
});

test("a command that the owner wrote since the session was opened is completed, too", async (t) => {
  const { terminal, client } = openApp(t);
  const undo = { name: "undo", usage: "/undo", help: "take back" };
  answerRequest(client, "help", { data: [undo] });
  terminal.type("/");
  await painted(terminal);
  const standup = { name: "standup", usage: "/standup [WORDS]", help: "yours: say what is due" };
  answerRequest(client, "help", { data: [undo, standup] });
  terminal.type("s");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /\/standup \[WORDS\] +yours: say what is due/);
  terminal.type("\t");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /› \/standup/);
});

test("commands are completed from the daemon's list, and files after @", async (t) => {
  const { terminal, client } = openApp(t, {
    listNames: async () => ["notes/", "plan.txt", "pl\u001b[2Jan", ".env"],
  });
  answerRequest(client, "help", { data: [{ name: "undo", usage: "/undo", help: "take back" }] });
  terminal.type("/", "u");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /\/undo +take back/);
  terminal.type("\t", "\u0015", "s", "e", "e", " ", "@", "p");
  await pause(100);
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /plan\.txt/);
  terminal.type("\t");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /› see @plan\.txt/);
});

test("a session that is continued shows the calls of its past: each with its line, diff and outcome, and what was said before", async (t) => {
  const { terminal, client } = openApp(t, { open: false });
  openSession(client, { "last-turn-id": "t1", "last-state": "answered", "last-words": "move it" });
  const path = "/home/ada/garden/plan.txt";
  const diff = "@@ -1 +1 @@\n-Friday\n+Saturday";
  const edit = { path: "plan.txt", old: "Friday", new: "Saturday" };
  const action = (tool: string, args: JsonObject) => ({
    target: "tool",
    payload: { tool, args },
    explanation: "",
  });
  const steps = [
    {
      tool: "edit-file",
      status: "success",
      said: "I move it.",
      action: action("edit-file", edit),
      result: { path: "plan.txt" },
      changes: [{ path, change: "replace", added: 1, removed: 1, diff, left: 0 }],
    },
    {
      tool: "shell",
      status: "success",
      action: { target: "shell", payload: { cmd: "make" }, explanation: "" },
      result: { exitCode: 2, stdout: "", stderr: "no rule" },
    },
    {
      tool: "read-file",
      status: "error",
      code: "not-found",
      action: action("read-file", { path: "b.txt" }),
      result: "There is no b.txt.",
    },
    { tool: "write-file", status: "not-done", action: action("write-file", { path: "c.txt", content: "c" }) },
    { tool: "recall", status: "success" },
  ];
  const turn = { id: "t1", words: "move it", answer: "**Done.**", "answer-left": 0, state: "answered" };
  answerRequest(client, "history", { data: [{ ...turn, attached: ["shot.png"], steps, "steps-left": 3 }] });
  await painted(terminal);
  terminal.type("\u001b[1;5H");
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(
    shown,
    /› move it\n[\s\S]*with shot\.png\n[\s\S]*… 3 calls before\n[\s\S]*I move it\.[\s\S]*Edit plan\.txt +\+1 −1\n[\s\S]*- Friday\n[\s\S]*\+ Saturday\n[\s\S]*Run make +exit (?:code )?2/,
  );
});

test("until the past of a session has come, the screen says that it loads", async (t) => {
  const { terminal, client } = openApp(t);
  openSession(client, { "last-turn-id": "t0", "last-state": "answered", "last-words": "hello" }, "s2");
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /loading what was said before …/);
  answerRequest(client, "history", { data: [] });
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /loading/);
});

test("where the connection is lost while a session loads, nothing is said to load, and its past comes once with the next one", async (t) => {
  const { terminal, client } = openApp(t);
  const last = { "last-turn-id": "t0", "last-state": "answered", "last-words": "hello" };
  const shown = async (): Promise<string> => {
    await painted(terminal);
    return terminal.screen().join("\n");
  };
  const asked = () => client.sent.filter((message) => JSON.stringify(message).includes('"history"'));
  openSession(client, last, "s2");
  client.tell({ kind: "waiting", code: "lost", error: "", reason: "gone", milliseconds: 50 });
  assert.doesNotMatch(await shown(), /loading/);
  openSession(client, last, "s2");
  assert.match(await shown(), /loading what was said before …/);
  const past = { id: "t0", words: "hello", answer: "Good day.", "answer-left": 0, state: "answered" };
  const answer = { action: "message", outcome: "said", text: "", data: [past] };
  for (const { id = "" } of asked()) client.message({ type: "response", id, payload: answer });
  assert.equal((await shown()).match(/› hello\n[\s\S]*Good day\./g)?.length, 1);
  assert.doesNotMatch(await shown(), /loading/);
});
