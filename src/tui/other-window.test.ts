import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp, painted, type ScriptedClient } from "./screen.fixture.ts";

/** The daemon tells of words that another client of a session sent. */
function hear(client: ScriptedClient, turn: string, words: string, session = "s1"): void {
  const meta = { "session-id": session, "turn-id": turn };
  const message = { type: "status", meta, payload: { action: "accepted", id: turn, words } };
  client.tell({ kind: "accepted", id: turn, message });
}

test("words that were said in another window stand before what came of them here, and wait here while they do there", async (t) => {
  const { terminal, client, turn } = openApp(t);
  hear(client, "t1", "play edit");
  turn("t1").thinking();
  hear(client, "t2", "and then");
  await painted(terminal);
  const waiting = terminal.screen().join("\n");
  assert.match(waiting, /› play edit\n/);
  assert.match(waiting, /waits: and then/);
  turn("t1").answered("The roses are on Saturday.");
  turn("t2").thinking();
  // What comes late stands below the begin of its turn.
  turn("t3").thinking();
  hear(client, "t3", "at last");
  turn("t3").answered("Done.");
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(shown, /› play edit\n[\s\S]*The roses are[\s\S]*› and then\n[\s\S]*› at last\n[\s\S]*Done\./);
  assert.doesNotMatch(shown, /waits:/);
});

test("words of another window that are taken back come back there alone", async (t) => {
  const { terminal, client, turn } = openApp(t);
  hear(client, "t1", "play edit");
  turn("t1").thinking();
  hear(client, "t2", "and then");
  turn("t2").send({
    type: "response",
    payload: { action: "message", text: "Taken back.", outcome: "stopped", code: "taken-back" },
  });
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(shown, /› and then\n[\s\S]*do not come back to the prompt here[\s\S]*Taken back\./);
  assert.equal(shown.split("and then").length, 2, shown);
});

test("words that were said in another session are not shown", async (t) => {
  const { terminal, client } = openApp(t);
  hear(client, "t9", "elsewhere", "s9");
  hear(client, "t1", "here");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /elsewhere/);
});
