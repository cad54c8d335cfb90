import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../text/json.ts";
import { payloadOf } from "../server/wire.fixture.ts";
import { daemonCodec } from "./codec.ts";
import { countCodePoints, makePartJoiner, splitMessage } from "./parts.ts";

const answer = (text: string): JsonObject => ({
  type: "response",
  meta: { source: "tui", "session-id": "s1", "turn-id": "t1" },
  payload: { action: "message", text, "rule-count": 3 },
  "gate-trace": [{ gate: "shell", result: "passed" }],
});

test("code points are counted as the frame counts them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(countCodePoints(text), [...text].length);
    }),
  );
});

test("the parts of an answer fit, and joined they are the answer", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 3_000, size: "max" }),
      fc.integer({ min: 400, max: 900 }),
      (text, limit) => {
        const texts = splitMessage(answer(text), daemonCodec.encode, limit);
        for (const part of texts) assert.ok(countCodePoints(part) <= limit);
        const joiner = makePartJoiner();
        const whole = splitMessage(answer(text), (message) => JSON.stringify(message), limit)
          .map((part): JsonObject => JSON.parse(part))
          .map((part) => {
            assert.ok(String(payloadOf(part)["text"]).isWellFormed());
            return joiner.add(part);
          });
        assert.deepEqual(whole.at(-1), { ok: true, message: answer(text) });
        for (const before of whole.slice(0, -1)) assert.deepEqual(before, { ok: true, message: null });
      },
    ),
    { numRuns: 60 },
  );
});

test("a message that fits stays as it is", () => {
  const message = answer("short");
  assert.deepEqual(splitMessage(message, daemonCodec.encode, 1_000), [daemonCodec.encode(message)]);
  assert.deepEqual(makePartJoiner().add(message), { ok: true, message });
});

test("a message that is too long without its text throws", () => {
  const message = { type: "status", payload: { action: "accepted", id: "x".repeat(2_000) } };
  assert.throws(() => splitMessage(message, daemonCodec.encode, 1_000), /no text that could be cut/);
});

test("parts that are missing, repeated or of another count are refused", () => {
  const part = (number: number, of: number): JsonObject => ({
    ...answer("x"),
    payload: { action: "message", text: "x", part: number, of },
  });
  for (const order of [[2], [1, 3], [1, 1, 3], [1, 2, 2]]) {
    const joiner = makePartJoiner();
    const joined = order.map((number) => joiner.add(part(number, 3)));
    assert.equal(joined.at(-1)?.ok, false, order.join());
  }
  const joiner = makePartJoiner();
  joiner.add(part(1, 3));
  assert.equal(joiner.add(part(2, 2)).ok, false);
});

test("parts of two turns may be interleaved", () => {
  const part = (turn: string, number: number): JsonObject => ({
    type: "response",
    meta: { "turn-id": turn },
    payload: { action: "message", text: `${turn}${number} `, part: number, of: 2 },
  });
  const joiner = makePartJoiner();
  const joined = [part("a", 1), part("b", 1), part("a", 2), part("b", 2)].map((one) => joiner.add(one));
  assert.deepEqual(
    joined.map((one) => (one.ok ? one.message?.["payload"] : one.reason)),
    [undefined, undefined, { action: "message", text: "a1 a2 " }, { action: "message", text: "b1 b2 " }],
  );
});

test("parts of the answers to two commands may be interleaved", () => {
  const part = (id: string, number: number): JsonObject => ({
    type: "response",
    id,
    payload: { action: "message", text: `${id}${number} `, part: number, of: 2 },
  });
  const joiner = makePartJoiner();
  const joined = [part("a", 1), part("b", 1), part("a", 2), part("b", 2)].map((one) => joiner.add(one));
  assert.deepEqual(
    joined.map((one) => (one.ok ? one.message?.["id"] : one.reason)),
    [undefined, undefined, "a", "b"],
  );
});
