import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, sampleExplanation } from "./parse.fixture.ts";

test("native calls are actions with the target tool, and the explanation is taken out of the arguments", () => {
  const parsed = parse("I will look.", [
    {
      id: "a",
      name: "Read-File",
      argumentsText: JSON.stringify({ path: "a.org", explanation: sampleExplanation }),
    },
    {
      id: "b",
      name: "search",
      argumentsText: JSON.stringify({ query: "x", explanation: "To find where x is named" }),
    },
  ]);
  assert.deepEqual(parsed, {
    kind: "calls",
    note: "I will look.",
    native: true,
    calls: [
      {
        id: "a",
        action: {
          target: "tool",
          payload: { tool: "read-file", args: { path: "a.org" } },
          explanation: sampleExplanation,
        },
      },
      {
        id: "b",
        action: {
          target: "tool",
          payload: { tool: "search", args: { query: "x" } },
          explanation: "To find where x is named",
        },
      },
    ],
  });
});

test("a missing explanation of a native call is not filled in", () => {
  const parsed = parse("", [{ id: "a", name: "read-file", argumentsText: '{"path":"a"}' }]);
  assert.ok(parsed.kind === "calls");
  assert.equal(parsed.calls[0]?.action.explanation, "");
});

test("a native call of an unknown tool is kept for prepare to answer", () => {
  const parsed = parse("", [{ id: "a", name: "teleport", argumentsText: "" }]);
  assert.ok(parsed.kind === "calls");
  assert.deepEqual(parsed.calls[0]?.action.payload, { tool: "teleport", args: {} });
});

test("a form beside native calls is a note and no proposal", () => {
  const note = '(TYPE :REQUEST TARGET :SHELL PAYLOAD (CMD "id"))';
  const parsed = parse(note, [{ id: "a", name: "read-file", argumentsText: "{}" }]);
  assert.ok(parsed.kind === "calls");
  assert.equal(parsed.note, note);
  assert.equal(parsed.calls.length, 1);
});

test("broken arguments make the answer invalid and name the call", () => {
  const hostile = [
    '{"path":',
    "[1]",
    '"text"',
    "null",
    '{"path":"a","path":"b"}',
    '{"path":"a","\\u0070ath":"b"}',
    '{"__proto__":{"x":1}}',
    '{"a":{"__proto__":1}}',
    '{"n":1e999}',
    '{"explanation":5}',
    `{"a":${"[".repeat(70)}${"]".repeat(70)}}`,
  ];
  for (const argumentsText of hostile) {
    const parsed = parse("", [{ id: "call-7", name: "read-file", argumentsText }]);
    assert.ok(parsed.kind === "invalid", argumentsText);
    assert.match(parsed.reason, /"call-7" of "read-file"/);
  }
});

test("two calls with the same id are invalid, because their results could not be distinguished", () => {
  const call = { id: "a", name: "read-file", argumentsText: "{}" };
  const parsed = parse("", [call, call]);
  assert.ok(parsed.kind === "invalid");
  assert.match(parsed.reason, /id of another/);
});

test("no arguments of a native call make the parser throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), fc.string(), (argumentsText, name) => {
      const parsed = parse("", [{ id: "a", name, argumentsText }]);
      assert.notEqual(parsed.kind, "reply");
    }),
  );
});
