import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp, painted } from "./screen.fixture.ts";

/** Longer than a decision waits for another key. */
const alone = 500;

const question = {
  token: "one",
  action: {
    target: "tool",
    payload: { tool: "shell", args: { cmd: "make install" } },
    explanation: "to build",
  },
  effects: [{ kind: "run-program", target: "make", argv: ["make"], confined: true, reversal: "final" }],
  text: "make is not proved harmless",
  "expires-at-ms": Date.UTC(2026, 10, 23, 9, 40),
};

test("a reason whose question was answered elsewhere is neither sent nor lost, and that is said", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  turn("t1").asks(question);
  await painted(terminal);
  time.now += 1_000;
  terminal.type("w");
  time.now += alone;
  terminal.type(..."use the package");
  turn("t1").thinking("", 1);
  terminal.type("\r");
  time.now += alone;
  await painted(terminal);
  const sent = JSON.stringify(client.sent);
  assert.doesNotMatch(sent, /"deny"|user-input/);
  const screen = terminal.screen().join("\n");
  assert.match(screen, /This question was answered in another window\.[\s\S]*your\n? *reason was not sent/);
  assert.match(screen, /^ › use the package$/m);
});

test("no daemon that can be talked to is said in the status bar, with what to do, once", async (t) => {
  const { terminal, client } = openApp(t, { open: false });
  const reason = "The daemon is version 9.0.0 and speaks another protocol (2, not 1).";
  for (const _ of [1, 2])
    client.tell({ kind: "waiting", code: "other-protocol", error: "", reason, milliseconds: 50 });
  await painted(terminal);
  assert.match(terminal.screen()[0] ?? "", /daemon away · trying again$/);
  assert.equal(terminal.screen().join("\n").split("speaks another protocol").length, 2);
});

test("words that the daemon refused hold nothing back that is said after them", async (t) => {
  const { terminal, client, turn, time } = openApp(t);
  const say = async (text: string): Promise<string> => {
    terminal.type(...text, "\r");
    time.now += alone;
    return String(client.sent.findLast(({ payload }) => JSON.stringify(payload).includes(text))?.["id"]);
  };
  for (const words of ["on a full disk", "and again"]) {
    const id = await say(words);
    const payload = { action: "message", text: "No room is left.", outcome: "refused", code: "full-disk" };
    client.message({ type: "response", id, payload });
    // They stand at the prompt again.
    terminal.type("\u0015");
  }
  const id = await say("there is room");
  client.tell({ kind: "accepted", id, message: { meta: { "turn-id": "t1" } } });
  turn("t1").answered("Done now.");
  await painted(terminal);
  const screen = terminal.screen().join("\n");
  assert.match(
    screen,
    /› on a full disk\n[\s\S]*No room is left\.[\s\S]*› and again\n[\s\S]*› there is room\n/,
  );
  assert.doesNotMatch(screen, /waits:/);
});
