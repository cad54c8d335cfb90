import assert from "node:assert/strict";
import { test } from "node:test";
import { answerRequest, openApp, openSession, painted } from "./screen.fixture.ts";

async function shown({ terminal }: ReturnType<typeof openApp>): Promise<string> {
  await painted(terminal);
  return terminal.screen().join("\n");
}

test("while a command runs the row above the prompt says so, and not that the model thinks", async (t) => {
  const world = openApp(t);
  const t1 = world.turn("t1");
  t1.thinking();
  assert.match(await shown(world), /^ thinking …/m);
  t1.proposed("k1", { target: "tool", payload: { tool: "shell", args: { cmd: "make" } }, explanation: "" });
  assert.match(await shown(world), /^ working …/m);
  t1.judged("k1");
  assert.match(await shown(world), /^ running …/m);
  t1.output("k1", "shell", { stdout: "", stderr: "", exitCode: 0 });
  assert.match(await shown(world), /^ working …/m);
});

const back = "\u001b";

/** A turn that asks before it runs a command. */
function askingTurn({ turn }: ReturnType<typeof openApp>): ReturnType<typeof turn> {
  const t1 = turn("t1");
  const action = { target: "tool", payload: { tool: "shell", args: { cmd: "make" } }, explanation: "" };
  t1.thinking();
  t1.proposed("k1", action);
  t1.judged("k1", { verdict: "ask" });
  t1.asks({ token: "one", action, effects: [], text: "it is not known", workspace: "/home/ada/garden" });
  return t1;
}

function stops(client: ReturnType<typeof openApp>["client"]): number {
  return client.sent.filter(({ payload }) => JSON.stringify(payload).includes('"stop"')).length;
}

test("a yes here sets the turn to work again, before anything is heard of its command, and Esc stops it", async (t) => {
  const world = openApp(t);
  const { client, terminal, time } = world;
  askingTurn(world);
  assert.doesNotMatch(await shown(world), /Esc stops/);
  time.now += 2_000;
  terminal.type("y");
  time.now += 2_000;
  const id = String(client.sent.at(-1)?.["id"]);
  client.tell({ kind: "accepted", id, message: { meta: { "turn-id": "t1" } } });
  assert.match(await shown(world), /^ working …[\s\S]*Esc stops/m);
  terminal.type(back);
  time.now += 2_000;
  assert.equal(stops(client), 1);
  assert.doesNotMatch(await shown(world), /earlier moment/);
});

test("a command whose question was answered elsewhere is seen to run, and Esc stops it", async (t) => {
  const action = { target: "tool", payload: { tool: "shell", args: { cmd: "make" } }, explanation: "" };
  for (const heard of [
    (t1: ReturnType<typeof askingTurn>) => t1.proposed("k1", action),
    (t1: ReturnType<typeof askingTurn>) => t1.judged("k1"),
    (t1: ReturnType<typeof askingTurn>) => t1.printed("k1", "one"),
  ]) {
    const world = openApp(t);
    heard(askingTurn(world));
    assert.match(await shown(world), /^ (?:working|running) …/m);
    world.terminal.type(back);
    world.time.now += 2_000;
    assert.equal(stops(world.client), 1);
  }
});

test("what runs after a yes does so no more once its turn asks again", async (t) => {
  const world = openApp(t);
  const t1 = askingTurn(world);
  t1.judged("k1");
  t1.output("k1", "shell", { stdout: "", stderr: "", exitCode: 0 });
  t1.asks({
    token: "two",
    action: { target: "tool", payload: { tool: "shell", args: { cmd: "make" } }, explanation: "" },
    effects: [],
    text: "again",
    workspace: null,
  });
  assert.doesNotMatch(await shown(world), /Esc stops/);
});

test("the line about a turn stands below it, above the words that were said before it came", async (t) => {
  const world = openApp(t);
  const { app, client, turn } = world;
  app.conversation.addWords("a", "first");
  client.tell({ kind: "accepted", id: "a", message: { meta: { "turn-id": "t1" } } });
  turn("t1").answered("One.");
  app.conversation.addWords("b", "second");
  answerRequest(client, "overview", { data: { "turn-input-tokens": 500, "turn-output-tokens": 12 } });
  assert.match(await shown(world), /› first\n+ One\.\n+ ↳ 512 tokens, free\n+ › second/);
});

test("below a turn that asked no model stand no figures of the turn before it", async (t) => {
  const world = openApp(t);
  const { client, turn } = world;
  const figures = { "asking-turn": "t1", "turn-input-tokens": 500, "turn-output-tokens": 12 };
  turn("t1").answered("One.");
  answerRequest(client, "overview", { data: figures });
  turn("t2").answered("Two notes.");
  answerRequest(client, "overview", { data: figures });
  assert.match(await shown(world), /One\.\n+ ↳ 512 tokens, free\n+ Two notes\.\n(?!.*↳)/);
});

test("of a past call whose output is not kept nobody says how many lines it had", async (t) => {
  const world = openApp(t);
  const { client } = world;
  openSession(client, { "last-turn-id": "t9", "last-state": "answered", "last-words": "look" }, "s2");
  const action = { target: "tool", payload: { tool: "read-file", args: { path: "plan.txt" } } };
  const steps = [{ tool: "read-file", status: "success", code: "done", action }];
  answerRequest(client, "history", {
    data: [{ id: "t9", state: "answered", words: "look", answer: "It is.", steps }],
  });
  assert.match(await shown(world), /● Read plan\.txt\n/);
});
