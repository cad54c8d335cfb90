import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { hostileSequences } from "../hostile-text.fixture.ts";
import { edit, openReader, path, write } from "../reader.fixture.ts";
import { openSession } from "../screen.fixture.ts";

const diff = "@@ -1,3 +1,3 @@\n Plan\n-Water the roses on Friday.\n+Water the roses on Saturday.\n End";
const changes = [{ path, change: "replace", added: 1, removed: 1, diff, left: 0 }];

const questionTold = [
  "Question: May I?",
  "Change plan.txt (1 added, 1 removed)",
  "Line: Plan",
  "Removed: Water the roses on Friday.",
  "Added: Water the roses on Saturday.",
  "Line: End",
  "Can be undone.",
  "Asked because the file is new to this session.",
  "Rule: edits in ~/garden",
  "The agent says: to move it",
  "Answer 1 for yes, 2 for no, or 3 and the reason of your no.",
  "Answer 4 for always: yes, and keep the rule.\n",
].join("\n");
const resultTold = [
  "Done: Edit plan.txt, 1 added, 1 removed, can be undone, 31 ms.",
  "Removed: Water the roses on Friday.",
  "Added: Water the roses on Saturday.",
  "Agent:",
  "Done: Saturday now.",
  "day: Tue, what: boiler.",
  "Item: one",
  "End of answer.",
  "Undone.",
  "plan.txt is as it was before.\n",
].join("\n");

test("an edit that is asked about, approved and undone is told in labelled lines, without one escape sequence", () => {
  const { reader, client, time, lines, turn } = openReader();
  const told = (): string => lines.splice(0).join("");
  assert.match(told(), /^Passepartout 0\.1\.0, for screen readers\. .*\nFolder: ~\/garden\.\n$/);
  reader.enter("move the roses", false);
  const t1 = turn("t1");
  t1.thinking();
  t1.proposed("k1", edit);
  t1.asks({
    token: "one",
    action: edit,
    effects: [write],
    changes,
    text: "the file is new to this session",
    rule: "edits in ~/garden",
    "expires-at-ms": 9e12,
    workspace: "/home/ada/garden",
  });
  assert.equal(told(), questionTold);
  reader.enter("1", false);
  assert.match(told(), /came while you typed, so nothing was answered/);
  time.now += 1_000;
  reader.enter("1\n2", true);
  assert.deepEqual(client.sent.at(-1)?.["payload"], { sensor: "user-input", text: "1\n2", pasted: true });
  reader.enter("1", false);
  assert.deepEqual(client.sent.at(-1)?.["payload"], { action: "approve", token: "one" });
  t1.judged("k1", { effects: [write] });
  t1.send({
    type: "event",
    payload: {
      sensor: "tool-output",
      "call-id": "k1",
      tool: "edit-file",
      result: {},
      changes,
      "duration-ms": 31,
    },
  });
  t1.answered("Done: **Saturday** now.\n\n| day | what |\n|---|---|\n| Tue | boiler |\n\n- one\n");
  reader.enter("/undo", false);
  assert.deepEqual(client.sent.at(-1)?.["payload"], { sensor: "user-input", text: "/undo" });
  client.message({
    type: "response",
    payload: { action: "message", outcome: "said", text: "Undone.\nplan.txt is as it was before." },
  });
  assert.equal(told(), resultTold);
});

test("a call that was denied, and one behind it that was not reached, are told once each", () => {
  const { lines, turn } = openReader();
  const t1 = turn("t1");
  const other = { ...edit, payload: { tool: "shell", args: { cmd: "make test" } } };
  t1.thinking();
  t1.proposed("k1", edit);
  t1.proposed("k2", other);
  t1.judged("k1", { verdict: "ask", effects: [write] });
  t1.asks({ token: "one", action: edit, effects: [write], text: "new", "expires-at-ms": 9e12 });
  lines.length = 0;
  t1.thinking("Denied. Nothing was done.", 1);
  t1.answered("Well then.");
  assert.deepEqual(
    lines.filter((line) => /^(?:Denied|Not done|Done|Added|Removed)/.test(line)),
    ["Denied: Edit plan.txt.\n", "Not done: Run make test.\n"],
  );
});

test("what is told while a call runs does not say that it was not done", () => {
  const { lines, turn } = openReader();
  const t1 = turn("t1");
  t1.thinking();
  t1.proposed("k1", edit);
  t1.judged("k1", { effects: [write] });
  t1.thinking("Something is told.");
  t1.output("k1", "edit-file", {});
  assert.match(lines.join(""), /\.\nNotice: Something is told\.\nDone: Edit plan\.txt/);
  assert.doesNotMatch(lines.join(""), /Not done/);
});

test("a message that begins with a number answers nothing, and a no that says why needs its reason", () => {
  const { lines, turn, reader, client, time } = openReader();
  turn("t1").asks({ token: "one", action: edit, effects: [write], text: "new", "expires-at-ms": 9e12 });
  time.now += 1_000;
  const answers = (): readonly string[] =>
    client.sent
      .map(({ payload }) => JSON.stringify(payload))
      .filter((sent) => /approve|deny|always/.test(sent));
  for (const text of ["1 more thing: call Bob", "2 things are wrong", "4 of them", "12", "3"])
    reader.enter(text, false);
  assert.deepEqual(answers(), []);
  assert.match(lines.join(""), /Notice: Nothing was answered\. Write the reason behind the 3/);
  reader.enter("3 not today", false);
  assert.deepEqual(answers(), ['{"action":"deny","token":"one","reason":"not today"}']);
});

test("a line behind ! runs nothing, since it may have been pasted", () => {
  const { lines, reader, client } = openReader();
  const before = client.sent.length;
  for (const pasted of [true, false])
    for (const text of ["!rm plan.txt", "  ! ls", "!", "!a\n!b"]) reader.enter(text, pasted);
  assert.equal(client.sent.length, before);
  assert.match(lines.join(""), /Notice: Nothing ran: .*Ask for the command in words/);
});

test("an edit that failed changed nothing, and nothing of it can be undone", () => {
  const { lines, turn } = openReader();
  const t1 = turn("t1");
  t1.proposed("k1", edit);
  t1.judged("k1", { effects: [write] });
  t1.failed("k1", "not-found", "'old' occurs 0 times.");
  const told = lines.join("");
  assert.match(told, /^Failed: Edit plan\.txt\.$/m);
  assert.doesNotMatch(told, /undone|added/);
});

test("nothing from outside brings a control character into a line, or a line of its own into a label", () => {
  const { client, lines, turn, reader } = openReader();
  const all = hostileSequences.join(" ");
  const action: JsonObject = {
    target: "tool",
    payload: { tool: all, args: { cmd: all, path: all } },
    explanation: all,
  };
  turn("t").thinking(all);
  turn("t").proposed("k", action);
  turn("t").failed("k", all, all);
  turn("t").asks({
    token: "x",
    action,
    effects: [write],
    text: all,
    rule: all,
    habit: all,
    "expires-at-ms": 1,
  });
  turn("u").answered(`${all}\n| ${all} |\n|---|\n| ${all} |`);
  client.tell({ kind: "refused", id: "r", reason: all, message: {} });
  reader.notice(all);
  const text = lines.join("");
  assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
  assert.ok(text.length > 5 * all.length);
});

test("a daemon of another version, one that cannot be talked to, and an answer in another window are told, each once", () => {
  const { client, lines, turn } = openReader();
  lines.splice(0);
  client.tell({ kind: "ready", daemon: { version: "9.0.0", capabilities: [] } });
  const lost = { kind: "waiting", code: "other-protocol", error: "", milliseconds: 50 } as const;
  client.tell({ ...lost, reason: "It speaks another protocol." });
  client.tell({ ...lost, reason: "It speaks another protocol." });
  turn("t1").asks({ token: "one", action: edit, effects: [write], text: "why" });
  turn("t1").thinking("", 1);
  const notices = lines.join("").match(/^Notice: .*$/gm);
  assert.equal(notices?.length, 3);
  assert.match(
    notices?.join("\n") ?? "",
    /9\.0\.0, newer than .*\n.*another protocol\.\n.*in another window\./,
  );
});

test("words that the daemon refuses are told once, and their files go with the next", () => {
  const { client, lines, reader } = openReader();
  const data = { id: "a".repeat(64), name: "plan.pdf" };
  client.message({ type: "response", payload: { code: "attached", data } });
  lines.length = 0;
  const reason = "It is too long.";
  for (const _ of [1, 2]) {
    reader.enter("read it", false);
    const { id, payload } = client.sent.at(-1) ?? {};
    assert.deepEqual(payload, { sensor: "user-input", text: "read it", attachments: [data.id] });
    client.tell({ kind: "refused", id: String(id), reason, message: {} });
    client.tell({ kind: "waiting", code: "protocol-error", error: "payload", reason, milliseconds: 50 });
    openSession(client);
  }
  assert.deepEqual(lines, ["Refused: It is too long.\n", "Refused: It is too long.\n"]);
});

test("a question of another session is told in a line, and no number answers it", () => {
  const { reader, client, time, lines, turn } = openReader();
  const meta = { "session-id": "s2", "turn-id": "t9" };
  const payload = {
    sensor: "approval-required",
    token: "other",
    action: edit,
    effects: [write],
    text: "it asks",
  };
  const asks = { ...payload, "expires-at-ms": 9e12, workspace: null };
  turn("t9").send({ type: "event", level: "approval-required", meta, payload: asks });
  assert.match(
    lines.splice(0).join(""),
    /Notice: A question waits in another conversation\..* passepartout approve .*\n$/,
  );
  time.now += 1_000;
  reader.enter("1", false);
  assert.deepEqual(client.sent.at(-1)?.["payload"], { sensor: "user-input", text: "1" });
});

test("what was said and done before is read out when a session is continued", () => {
  const { client, lines } = openReader({
    "last-turn-id": "t1",
    "last-state": "answered",
    "last-words": "move it",
  });
  const step = {
    tool: "edit-file",
    status: "success",
    said: "I move it.",
    action: edit,
    result: {},
    changes,
  };
  const turn = {
    id: "t1",
    words: "move it",
    answer: "Done.",
    "answer-left": 0,
    state: "answered",
    steps: [step, { ...step, said: "", undone: "whole" }],
  };
  const id = String(client.sent.findLast((one) => JSON.stringify(one).includes("history"))?.["id"]);
  client.message({
    type: "response",
    id,
    payload: { action: "message", outcome: "said", text: "", data: [turn] },
  });
  assert.match(
    lines.join(""),
    /Before, you: move it\nI move it\.\nDone: Edit plan\.txt, 1 added, 1 removed\.\nRemoved: Water the roses on Friday\.\nAdded: Water the roses on Saturday\.\nUndone: Edit plan\.txt, 1 added, 1 removed\.\nRemoved: Water the roses on Friday\.\nAdded: Water the roses on Saturday\.\nAgent:\nDone\.\nEnd of answer\.\n$/,
  );
});
