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
