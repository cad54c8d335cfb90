import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { Turn } from "../../signal/turn.ts";
import { compactTurn } from "./compaction.ts";
import { noon, openSampleState, sampleResult, sampleSignal } from "./samples.fixture.ts";
import type { State } from "./state.ts";
import { newTurn } from "./turns.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const agent: Label = { integrity: "agent", secrecy: "public", sources: [] };
const web: Label = { integrity: "untrusted", secrecy: "private", sources: [{ id: "page", path: "" }] };
const later = 600_000;

function answer(text: string, call: string | null): Message {
  const action = { target: "tool", payload: { tool: "read-file" }, explanation: "to see" };
  const calls = call === null ? [] : [{ id: call, action }];
  return {
    role: "assistant",
    text,
    calls,
    native: true,
    provider: "p",
    raw: { its: "own" },
    label: agent,
  };
}

function resultOf(call: string, content: string): Message {
  const result = sampleResult(`result-${call}`, content, { label: web });
  return { role: "result", callId: call, native: true, result };
}

const steps: readonly Message[] = [
  answer("I look.", "a"),
  resultOf("a", "x".repeat(5000)),
  answer("It is long.", null),
];

/** A session with so many finished turns. */
async function converse(state: State, count: number): Promise<string> {
  const session = await state.sessions.open({ name: "work", workspace: null, source: "cli" });
  for (let number = 1; number <= count; number += 1) {
    const signal = sampleSignal({ id: `s${number}`, session: session.id, text: `question ${number}` });
    const { turn } = await state.accept(signal, 50);
    const messages = [...turn.messages, ...steps];
    await state.commit({ turn: { ...turn, state: "answered", text: "It is long.", messages } });
  }
  return session.id;
}

const clockOf = (time: { now: number }) => ({ clock: () => time.now });

test("an idle session's old results become references, then its old turns a line each; a used one's do not", async () => {
  const time = { now: noon };
  await using state = await openSampleState(join(root, "stages"), clockOf(time));
  const session = await converse(state, 60);
  const shape = async () => {
    const messages = await state.turns.history(session, {});
    const long = messages.filter((one) => JSON.stringify(one).includes("xxxx")).length;
    return { messages: messages.length, long };
  };
  assert.equal(await state.compact(), 0);
  assert.deepEqual(await shape(), { messages: 240, long: 60 });
  time.now += later;
  assert.equal(await state.compact(), 52);
  assert.deepEqual(await shape(), { messages: 240, long: 8 });
  assert.equal(await state.compact(), 32);
  assert.deepEqual(await shape(), { messages: 32 * 2 + 28 * 4, long: 8 });
  assert.equal(await state.compact(), 0);
});

test("what was said and done in a compacted turn is still on disk, and found by the id that its line names", async () => {
  const time = { now: noon };
  await using state = await openSampleState(join(root, "whole"), clockOf(time));
  const session = await converse(state, 60);
  time.now += later;
  await state.compact();
  await state.compact();
  const history = await state.turns.history(session, {});
  const words = history.flatMap((one) => (one.role === "user" ? [one.text] : []));
  assert.deepEqual(
    words,
    Array.from({ length: 60 }, (_, at) => `question ${at + 1}`),
  );
  const line = history[1];
  assert.ok(line?.role === "assistant");
  assert.match(
    line.text,
    /^\[Turn \S+ in short: answered\. Calls: read-file[^:]*: success\. recall "\S+" gives all/,
  );
  assert.match(line.text, /\nIt is long\.$/);
  assert.deepEqual(line.label, { integrity: "untrusted", secrecy: "private", sources: web.sources });
  const id = /recall "(\S+)"/.exec(line.text)?.[1] ?? "";
  assert.equal((await state.turns.get(id))?.messages.length, 4);
  const [first, ...others] = await state.sessionMemory.search(id, 10);
  assert.equal(first?.text, "question 1");
  assert.equal(others.length, 3);
});

test("the line of an old turn says what the owner denied and what did not run, and calls neither an error", () => {
  const ends = ["denied", "denied-by-owner", "not-run", "exit"] as const;
  const rest = ends.flatMap((code): Message[] => {
    const message = resultOf(code, "");
    if (message.role !== "result") return [];
    const outcome = { status: "error", code, message: "x".repeat(500) } as const;
    return [answer("", code), { ...message, result: { ...message.result, tool: code, outcome } }];
  });
  const begun = newTurn("t", sampleSignal(), { depthLimit: 50, at: noon, attached: [] });
  const turn: Turn = { ...begun, state: "answered", text: "Done.", messages: [...begun.messages, ...rest] };
  const line = compactTurn(turn, "summary").find(({ role }) => role === "assistant");
  assert.match(
    line?.role === "assistant" ? line.text : "",
    /denied: denied by the owner; denied-by-owner: denied by the owner; not-run: not done; exit: error/,
  );
});

test("a short session stays as it is", async () => {
  const time = { now: noon };
  await using state = await openSampleState(join(root, "short"), clockOf(time));
  await converse(state, 16);
  time.now += later;
  assert.equal(await state.compact(), 0);
});

test("at no stage a word of the person is lost, a result without its call, or a label forgotten", () => {
  const message = fc.oneof(
    fc.string().map((text): Message => ({ role: "user", text, label: bottomLabel })),
    fc.string().map((text): Message => ({ role: "rejection", text, label: agent })),
    fc.string().map((text) => answer(text, null)),
  );
  const called = fc.string({ maxLength: 900 }).map((text) => [answer("", "a"), resultOf("a", text)]);
  const messages = fc
    .array(
      fc.oneof(
        message.map((one) => [one]),
        called,
      ),
    )
    .map((all) => all.flat());
  fc.assert(
    fc.property(messages, fc.string(), fc.constantFrom("referenced", "summary"), (rest, text, stage) => {
      const begun = newTurn("t", sampleSignal(), { depthLimit: 50, at: noon, attached: [] });
      const turn: Turn = { ...begun, state: "answered", text, messages: [...begun.messages, ...rest] };
      const past = compactTurn(turn, stage);
      const users = (all: readonly Message[]) => all.filter(({ role }) => role === "user");
      assert.deepEqual(users(past), users(turn.messages));
      const calls = past.flatMap((one) => (one.role === "assistant" ? one.calls.map(({ id }) => id) : []));
      assert.ok(past.every((one) => one.role !== "result" || calls.includes(one.callId)));
      const untrusted = (all: readonly Message[]) => JSON.stringify(all).includes('"untrusted"');
      assert.equal(untrusted(past), untrusted(turn.messages));
    }),
    { numRuns: 100 },
  );
});
