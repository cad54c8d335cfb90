import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../signal/json.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { numberResults } from "./number-results.ts";

const result = (content: Json, integrity: Label["integrity"] = "user"): Message => ({
  role: "result",
  callId: "call",
  native: true,
  result: {
    id: "id",
    tool: "read-file",
    outcome: { status: "success", content },
    label: { ...bottomLabel, integrity },
  },
});
const shown = (messages: readonly Message[], stableMessages = 0) => [
  ...numberResults({ messages, stableMessages }).values(),
];

test("results of the turn have numbers, and older ones have none", () => {
  const messages = [result({ a: 1 }), result({ b: 2 }), result("text"), result([3])];
  assert.deepEqual(
    shown(messages, 1).map((content) => Object.keys(content)[0]),
    ["@1", "@3"],
  );
  assert.deepEqual(shown(messages, 1)[1], { "@3": [3] });
});

test("how to refer is said once, and what asks only where words of others are", () => {
  const [own, first, second] = shown([
    result({ a: 1 }),
    result({ b: 2 }, "untrusted"),
    result({ c: 3 }, "untrusted"),
  ]);
  assert.match(JSON.stringify(own), /@NUMBER\.FIELD/);
  assert.doesNotMatch(JSON.stringify(own), /from others/);
  assert.match(JSON.stringify(first), /This is from others/);
  assert.deepEqual(second, { "@3": { c: 3 } });
});
