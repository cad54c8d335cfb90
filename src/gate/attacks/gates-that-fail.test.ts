import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { builtInGates } from "../built-in.ts";
import { sampleEffects, sampleFacts } from "../sample-action.ts";
import { judgeAnything } from "./anything.fixture.ts";

const { owners } = builtInGates;
const { read } = sampleEffects;
const withAnswer = (answer: unknown): unknown => ({
  owners,
  others: [{ name: "odd", priority: 1, revision: 1, answer: () => answer }],
});
const verdictOf = (gates: unknown): string => judgeAnything([read], sampleFacts, gates).decision;

test("a gate that answers nothing blocks", () => {
  for (const answer of [undefined, null, false, true, 0, "", "passed", [], {}]) {
    assert.equal(verdictOf(withAnswer(answer)), "block", String(answer));
  }
});

test("a gate that answers with an unknown word, without a reason or without a code blocks", () => {
  const answers = [
    { result: "PASSED", reason: "x" },
    { result: "pass", reason: "x" },
    { result: "passed" },
    { result: "passed", reason: null },
    { result: ["passed"], reason: "x" },
    { result: "ask", reason: "x" },
    { result: "ask", code: "", reason: "x" },
    { result: new String("passed"), reason: "x" },
  ];
  for (const answer of answers) assert.equal(verdictOf(withAnswer(answer)), "block", JSON.stringify(answer));
});

test("an answer with inherited properties blocks", () => {
  assert.equal(verdictOf(withAnswer(Object.create({ result: "passed", reason: "x" }))), "block");
  const polluted: unknown = JSON.parse('{"__proto__": {"result": "passed", "reason": "x"}}');
  assert.equal(verdictOf(withAnswer(polluted)), "block");
});

test("a promise blocks, and a promise that rejects later does no harm", async () => {
  assert.equal(verdictOf(withAnswer(Promise.resolve({ result: "passed", reason: "x" }))), "block");
  assert.equal(verdictOf(withAnswer(Promise.reject(new Error("late")))), "block");
  await new Promise((resolve) => setImmediate(resolve));
});

test("a gate that throws anything at all blocks", () => {
  const unreadable = new Proxy(new Error("x"), {
    get: () => {
      throw new Error("unreadable");
    },
    getPrototypeOf: () => {
      throw new Error("unreadable");
    },
  });
  for (const thrown of [new Error("x"), "x", null, undefined, unreadable, Symbol("x")]) {
    const answer = (): never => {
      throw thrown;
    };
    assert.equal(verdictOf({ owners, others: [{ name: "odd", priority: 1, revision: 1, answer }] }), "block");
  }
});

test("a gate that recurses without end blocks", () => {
  const answer = (): unknown => answer();
  assert.equal(verdictOf({ owners, others: [{ name: "odd", priority: 1, revision: 1, answer }] }), "block");
});

test("an empty set of gates, and a value that is no set of gates, block", () => {
  const sets = [
    { owners: {}, others: [] },
    {},
    null,
    1,
    [],
    { owners },
    { owners, others: {} },
    { owners, others: "" },
  ];
  for (const gates of [...sets, { owners: null, others: [] }]) {
    assert.equal(verdictOf(gates), "block", JSON.stringify(gates));
  }
});

test("a set with a hole, or with a gate without name, priority or answer, blocks", () => {
  const good = { name: "good", priority: 1, revision: 1, answer: () => ({ result: "not-concerned" }) };
  assert.equal(verdictOf({ owners, others: [good] }), "pass");
  for (const gate of [
    undefined,
    null,
    {},
    { ...good, name: "" },
    { ...good, priority: Number.NaN },
    { ...good, answer: null },
  ]) {
    assert.equal(verdictOf({ owners, others: [gate] }), "block", JSON.stringify(gate));
  }
});

test("an inherited owner gate covers nothing", () => {
  const inherited: unknown = Object.create(owners);
  assert.equal(verdictOf({ owners: inherited, others: [] }), "block");
});

test("any answer but the four known ones blocks", () => {
  fc.assert(fc.property(fc.anything(), (answer) => assert.equal(verdictOf(withAnswer(answer)), "block")));
});
