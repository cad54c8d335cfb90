import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noon, openSampleState, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "turns-"));

async function say(state: State, text: string, final: boolean, session = "session-1"): Promise<string> {
  const { turn } = await state.accept(sampleSignal({ id: `signal-${text}`, text, session }), 50);
  if (final) await state.commit({ turn: { ...turn, state: "answered", text: `re ${text}` } });
  return turn.id;
}

test("unfinished turns come oldest first and finished ones not at all", async () => {
  await using state = await openSampleState(folder());
  const first = await say(state, "a", false);
  await say(state, "b", true);
  const third = await say(state, "c", false, "session-2");
  assert.deepEqual(
    (await state.turns.unfinished()).map((turn) => turn.id),
    [first, third],
  );
});

test("the newest turns of a session come newest last", async () => {
  await using state = await openSampleState(folder());
  for (const text of ["a", "b", "c"]) await say(state, text, true);
  await say(state, "x", true, "session-2");
  const turns = await state.turns.ofSession("session-1", { limit: 2 });
  assert.deepEqual(
    turns.map((turn) => turn.signal.text),
    ["b", "c"],
  );
});

test("the history holds the newest finished turns that fit, in order", async () => {
  await using state = await openSampleState(folder());
  for (const text of ["a", "b", "c"]) await say(state, text, true);
  await say(state, "open", false);
  const words = (messages: Awaited<ReturnType<State["turns"]["history"]>>): readonly string[] =>
    messages.map((message) => (message.role === "user" ? message.text : message.role));
  assert.deepEqual(words(await state.turns.history("session-1", {})), ["a", "b", "c"]);
  assert.deepEqual(words(await state.turns.history("session-1", { messages: 2 })), ["b", "c"]);
  assert.deepEqual(words(await state.turns.history("session-1", { tokens: 0.25 })), ["c"]);
  assert.deepEqual(words(await state.turns.history("session-1", { tokens: 0 })), []);
});

test("a stable history begins at the same turn while turns are added, holds at least half of what fits, and then leaves out a block", async () => {
  await using state = await openSampleState(folder());
  const starts: string[] = [];
  for (let count = 0; count < 120; count += 1) {
    await say(state, `${count}`.padStart(4, "0"), true);
    const { messages, hasOlder } = await state.turns.stableHistory("session-1", { tokens: 40 });
    const [first] = messages;
    assert.ok(messages.length <= 40 && (count < 40 ? !hasOlder : messages.length >= 20));
    starts.push(first?.role === "user" ? first.text : "");
  }
  const changes = starts.filter((start, index) => index > 0 && start !== starts[index - 1]).length;
  assert.ok(changes >= 2 && changes <= 6, `${changes} changes`);
});

test("words longer than a history has room for are shortened in their middle, and the turns before them stay", async () => {
  await using state = await openSampleState(folder());
  await say(state, "before", true);
  const rows = Array.from({ length: 3_000 }, (_, at) => `row ${at}`).join("\n");
  await say(state, rows, true);
  await say(state, "after", true);
  const { messages, hasOlder } = await state.turns.stableHistory("session-1", { tokens: 2_000 });
  const [first, paste, last] = messages.map((message) => (message.role === "user" ? message.text : ""));
  assert.deepEqual([first, last, hasOlder], ["before", "after", false]);
  assert.match(paste ?? "", /^row 0\nrow 1\n[\s\S]*characters left out …\][\s\S]*\nrow 2999$/);
  assert.ok((paste ?? "").length < 2_500);
  const again = await state.turns.stableHistory("session-1", { tokens: 2_000 });
  assert.equal(again.messages[1], messages[1], "what was sent stays the same");
  assert.equal((await state.turns.stableHistory("session-1", { tokens: 10_000 })).messages.length, 3);
});

test("a long history is read whole", async () => {
  await using state = await openSampleState(folder());
  for (let count = 0; count < 45; count += 1) await say(state, `${count}`, true);
  assert.equal((await state.turns.history("session-1", {})).length, 45);
});

test("an answer waits in the outbox of its session until it was delivered", async () => {
  await using state = await openSampleState(folder());
  const { turn } = await state.accept(sampleSignal(), 50);
  const answer = {
    id: "a1",
    session: turn.session,
    turn: turn.id,
    state: "answered",
    text: "yes",
    at: noon,
    delivered: false,
  } as const;
  await state.commit({ turn: { ...turn, state: "answered" }, answer });
  assert.deepEqual(await state.outbox.undelivered("session-1"), [answer]);
  assert.deepEqual(await state.outbox.undelivered("session-2"), []);
  await state.outbox.markTurnDelivered("session-1", turn.id);
  assert.deepEqual(await state.outbox.undelivered("session-1"), []);
});

test("pruning drops big results of old finished turns and keeps every word", async () => {
  const place = mkdtempSync(join(root, "prune-"));
  const label = { integrity: "user", secrecy: "public", sources: [] } as const;
  const result = (content: string) => ({
    role: "result" as const,
    callId: "c",
    native: true,
    result: { id: "r", tool: "t", outcome: { status: "success" as const, content }, label },
  });
  let id = "";
  {
    await using state = await openSampleState(place);
    const { turn } = await state.accept(sampleSignal(), 50);
    id = turn.id;
    const messages = [...turn.messages, result("x".repeat(9000)), result("short")];
    const big = { id: "big", tool: "t", outcome: result("y".repeat(9000)).result.outcome, label };
    await state.commit({ turn: { ...turn, state: "answered", messages, text: "kept" }, results: [big] });
    assert.deepEqual(await state.prune(), { blobs: 0, turns: 0, results: 0, snapshots: 0 });
  }
  let now = noon + 91 * 86_400_000;
  await using later = await openSampleState(place, { clock: () => now });
  assert.deepEqual(await later.prune(), { blobs: 0, turns: 0, results: 0, snapshots: 0 });
  now += 86_400_000;
  assert.deepEqual(await later.prune(), { blobs: 0, turns: 1, results: 1, snapshots: 0 });
  const body = JSON.stringify(await later.turns.get(id));
  assert.equal(body.includes("xxx"), false);
  assert.ok(body.includes("short") && body.includes("hello") && body.includes("kept"));
  assert.deepEqual((await later.results.get("big"))?.outcome, {
    status: "success",
    content: { "not-kept": "retention" },
  });
  assert.deepEqual(await later.prune(), { blobs: 0, turns: 0, results: 0, snapshots: 0 });
});
