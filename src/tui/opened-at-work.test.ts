import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../text/json.ts";
import { answerRequest, openApp, openSession, painted, type ScriptedClient } from "./screen.fixture.ts";

const esc = "\u001b";
/** Longer than a lone Esc waits for the rest of a sequence, and Enter for the rest of a paste. */
const alone = 500;

const sleep = { target: "tool", payload: { tool: "shell", args: { cmd: "sleep 20" } }, explanation: "" };

const past = (id: string, state: string, words: string, more: JsonObject = {}): JsonObject => ({
  id,
  state,
  words,
  answer: "",
  "answer-left": 0,
  steps: [],
  ...more,
});

/** Opens a session in which a turn runs a command, and words wait behind it. */
function openAtWork(
  client: ScriptedClient,
  now: number,
  words = "and then",
  more: JsonObject = { whole: true },
): void {
  const last = { "last-turn-id": "t2", "last-state": "queued", "last-words": words };
  openSession(client, last);
  const work = { "working-since-ms": now - 7_000, "open-calls": [{ call: "k1", action: sleep }] };
  answerRequest(client, "history", {
    data: [past("t1", "acting", "play sleep", work), past("t2", "queued", words, more)],
  });
}

const takenBack = {
  type: "response",
  payload: { action: "message", text: "Taken back.", outcome: "stopped", code: "taken-back" },
};

const stops = (client: ScriptedClient): number =>
  client.sent.filter(({ payload }) => JSON.stringify(payload).includes('"stop"')).length;

test("a window that is opened while a turn runs shows its call, how long it works and what waits; Esc stops it and gives back what waited", async (t) => {
  const { terminal, client, time, turn } = openApp(t, { open: false });
  openAtWork(client, time.now);
  await painted(terminal);
  let shown = terminal.screen().join("\n");
  assert.match(shown, /› play sleep\n[\s\S]*Run sleep 20[\s\S]*working … 7\.0 s · Esc stops/);
  assert.match(shown, /waits: and then/);
  assert.doesNotMatch(shown, /› and then/);
  terminal.type(esc);
  time.now += alone;
  assert.equal(stops(client), 1);
  turn("t2").send(takenBack);
  turn("t1").send({
    type: "response",
    payload: { action: "message", text: "Stopped.", outcome: "stopped", code: "stopped" },
  });
  await painted(terminal);
  shown = terminal.screen().join("\n");
  assert.match(shown, /Run sleep 20 +not done/);
  assert.match(shown, / › and then/);
  assert.doesNotMatch(shown, /working …|waits:/);
});

test("words that waited when the window was opened come back as pasted: they are no command, and nobody counts them as typed here", async (t) => {
  const { terminal, client, time, turn } = openApp(t, { open: false });
  const words = "/undo what is on the page\nand tell Bob";
  openAtWork(client, time.now, words);
  turn("t2").send(takenBack);
  turn("t1").answered("It slept.");
  time.now += alone;
  terminal.type("\r");
  time.now += alone;
  await painted(terminal);
  const said = client.sent
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes("Bob"));
  assert.partialDeepStrictEqual(said, [{ text: words, pasted: true, pastes: [words] }]);
});

test("words that waited and are a job's, cut, masked or without their files do not come back to the prompt, and that is said", async (t) => {
  const { terminal, client, time, turn } = openApp(t, { open: false });
  openAtWork(client, time.now, "and then", { job: true });
  await painted(terminal);
  const sent = client.sent.length;
  terminal.type(`${esc}[A`);
  time.now += alone;
  assert.equal(client.sent.length, sent, "Up ends no turn whose words cannot come back");
  turn("t2").send(takenBack);
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(shown, /› and then\n[\s\S]*do not come back to the prompt[\s\S]*Taken back\./);
  assert.equal(shown.split("and then").length, 2, shown);
});

test("what came of a call that ran when the window was opened stands at that call, and the words that waited are shown as their turn begins", async (t) => {
  const { terminal, client, time, turn } = openApp(t, { open: false });
  openAtWork(client, time.now);
  turn("t1").output("k1", "shell", { stdout: "slept\n", stderr: "", exitCode: 0 });
  turn("t1").answered("It slept.");
  turn("t2").thinking();
  turn("t2").answered("And then this.");
  await painted(terminal);
  const shown = terminal.screen().join("\n");
  assert.match(
    shown,
    /› play sleep\n[\s\S]*● Run sleep 20 +1 line\n+ It slept\.[\s\S]*› and then\n[\s\S]*And then this\./,
  );
  assert.doesNotMatch(shown, /waits:|Esc stops/);
});

test("after a lost connection the turns that ran when the window was opened are asked about too", async (t) => {
  const { client, time } = openApp(t, { open: false });
  openAtWork(client, time.now);
  client.tell({ kind: "waiting", code: "lost", error: "", reason: "", milliseconds: 9 });
  openSession(client);
  const followed = client.sent
    .map(({ payload }) => payload)
    .filter((payload) => JSON.stringify(payload).includes('"follow"'));
  assert.deepEqual(followed, [
    { action: "follow", turn: "t1" },
    { action: "follow", turn: "t2" },
  ]);
});

test("a session that is opened in place of another has none of the words that wait in that one", async (t) => {
  const { terminal, client, time } = openApp(t, { open: false });
  openAtWork(client, time.now);
  openSession(client, {}, "s2");
  await painted(terminal);
  assert.doesNotMatch(terminal.screen().join("\n"), /waits:|Esc stops/);
});
