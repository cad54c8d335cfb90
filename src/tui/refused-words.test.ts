import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, asked, pass } from "./asking.fixture.ts";
import { openApp, openSession, painted, type ScriptedClient } from "./screen.fixture.ts";

/** Longer than Enter waits for the rest of a paste. */
const alone = 500;
const reason = "The message was not accepted: its text is too long.";

/** The payloads of what was said, without the requests of the screen itself. */
const said = (client: ScriptedClient) =>
  client.sent.filter((message) => JSON.stringify(message).includes("user-input"));
const lastId = (client: ScriptedClient): string => String(said(client).at(-1)?.["id"]);

/** The daemon ends the connection over a message, and the client says which it was. */
function refuse(client: ScriptedClient): void {
  client.tell({ kind: "refused", id: lastId(client), message: {}, reason });
  client.tell({ kind: "waiting", code: "protocol-error", error: "payload", reason, milliseconds: 50 });
}

const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;
const lines = (count: number): string => Array.from({ length: count }, (_, row) => `row ${row}`).join("\n");

test("words that the daemon refuses are told once and stand at the prompt again, before what was typed since", async (t) => {
  const { terminal, client, time } = openApp(t);
  terminal.type(..."water the roses", "\r");
  time.now += alone;
  terminal.type(..."draft");
  refuse(client);
  await painted(terminal);
  const screen = terminal.screen().join("\n");
  assert.match(screen, / › water the roses\n {3}draft\n/);
  assert.equal(screen.split("was not accepted").length - 1, 1, screen);
});

test("pasted words come back with their markers, and are sent again as they were", async (t) => {
  const { terminal, client, time } = openApp(t);
  terminal.type(..."look: ", pasted(lines(25)), ..." and ", pasted(`${lines(12)}\n`), "\r");
  time.now += alone;
  refuse(client);
  await painted(terminal);
  assert.match(
    terminal.screen().join("\n"),
    / › look: \[paste #1 \+25 lines\] and \[paste #2 \+12 lines\]\n/,
  );
  terminal.type(pasted(lines(11)));
  client.message({
    type: "response",
    id: lastId(client),
    payload: { action: "message", outcome: "refused", code: "state-gone", text: "There is no state." },
  });
  terminal.type("\r");
  time.now += alone;
  const [first, second] = said(client).map(({ payload }) => payload);
  assert.deepEqual(second, {
    sensor: "user-input",
    text: `look: ${lines(25)} and ${lines(12)}${lines(11)}`,
    pasted: true,
    pastes: [lines(25), lines(12), lines(11)],
  });
  assert.partialDeepStrictEqual(first, { pastes: [lines(25), lines(12)] });
});

test("words that are refused by an answer, or before they are sent, are back too; nothing waits behind them", async (t) => {
  const { terminal, client, time } = openApp(t);
  terminal.type(..."one", "\r");
  time.now += alone;
  client.message({
    type: "response",
    id: lastId(client),
    payload: { action: "message", outcome: "refused", code: "state-gone", text: "There is no state." },
  });
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /There is no state\.[\s\S]* › one\n/);
  client.refusal = reason;
  terminal.type("\r");
  time.now += alone;
  await painted(terminal);
  assert.match(terminal.screen().join("\n"), /was not accepted[\s\S]* › one\n/);
  client.refusal = "";
  terminal.type("\r");
  time.now += alone;
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /waits/);
});

test("words that come back one after the other stand in the order in which they were said, before what was typed since", async (t) => {
  const world = openApp(t);
  const { terminal, client, time, turn } = world;
  terminal.type(..."go", "\r");
  await pass(world);
  turn("t0").thinking();
  for (const [at, words] of ["one", lines(12), "three"].entries()) {
    terminal.type(pasted(words), "\r");
    await pass(world);
    client.tell({ kind: "accepted", id: lastId(client), message: { meta: { "turn-id": `t${at + 1}` } } });
  }
  terminal.type(..."typed since");
  const giveBack = (name: string): void =>
    turn(name).send({
      type: "response",
      payload: { action: "message", text: "", outcome: "stopped", code: "taken-back" },
    });
  for (const name of ["t3", "t1", "t2"]) giveBack(name);
  assert.match(await pass(world), / › one\n +\[paste #\d+ \+12 lines\]\n +three\n +typed since\n/);
  terminal.type("\r");
  time.now += 500;
  assert.partialDeepStrictEqual(client.sent.findLast(({ type }) => type === "event")?.["payload"] ?? {}, {
    text: `one\n${lines(12)}\nthree\ntyped since`,
    pastes: ["one", lines(12), "three"],
  });
});

test("of words that came back nothing is told again after a lost connection, nor is asked about what is over", async (t) => {
  const world = openApp(t);
  const { terminal, client, turn } = world;
  for (const [at, words] of ["go", "and then"].entries()) {
    terminal.type(...words, "\r");
    await pass(world);
    client.tell({ kind: "accepted", id: lastId(client), message: { meta: { "turn-id": `t${at}` } } });
    turn("t0").thinking();
  }
  const giveBack = (): void =>
    turn("t1").send({
      type: "response",
      payload: { action: "message", text: "Stopped: and then", outcome: "stopped", code: "taken-back" },
    });
  giveBack();
  client.tell({ kind: "waiting", code: "lost", error: "", reason: "", milliseconds: 9 });
  openSession(client);
  giveBack();
  assert.doesNotMatch(await pass(world), /Stopped/);
  const followed = client.sent
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes('"follow"'));
  assert.deepEqual(followed, [{ action: "follow", turn: "t0" }]);
});

test("words that come back while a reason is typed wait until it is sent", async (t) => {
  const world = openApp(t);
  const { terminal, client, time, turn } = world;
  terminal.type(..."one", "\r");
  time.now += alone;
  const id = lastId(client);
  turn("t1").asks(asked("token"));
  await pass(world);
  terminal.type("w");
  await pass(world);
  terminal.type(..."too late");
  client.tell({ kind: "refused", id, message: {}, reason });
  assert.match(await pass(world), / why not\? too late\n/);
  terminal.type("\r");
  await pass(world);
  assert.deepEqual(answers(world), [{ action: "deny", token: "token", reason: "too late" }]);
  turn("t1").answered("Then not.");
  assert.match(await pass(world), / › one\n/);
});

test("a pasted reason whose question went away stands at the prompt as pasted", async (t) => {
  const world = openApp(t);
  const { terminal, client, turn } = world;
  turn("t1").asks(asked("token"));
  await pass(world);
  terminal.type("w");
  await pass(world);
  terminal.type(pasted("/undo"));
  turn("t1").answered("Answered elsewhere.");
  await pass(world);
  terminal.type("\r");
  await pass(world);
  terminal.type("\r");
  await pass(world);
  assert.deepEqual(
    said(client).map(({ payload }) => payload),
    [{ sensor: "user-input", text: "/undo", pasted: true, pastes: ["/undo"] }],
  );
});
