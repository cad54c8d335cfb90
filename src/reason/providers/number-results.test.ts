import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import { messagesAsSent } from "../../signal/told-state.ts";
import type { Json } from "../../text/json.ts";
import { numberResults } from "./number-results.ts";

const result = (number: number | null, content: Json, integrity: Label["integrity"] = "user"): Message => ({
  role: "result",
  callId: "call",
  native: true,
  result: {
    id: "id",
    tool: "read-file",
    outcome: { status: "success", content },
    label: { ...bottomLabel, integrity },
    ...(number === null ? {} : { number }),
  },
});
const shown = (messages: readonly Message[]) => [...numberResults({ messages }).values()];

test("results with fields stand under their numbers, and those that an older version kept have none", () => {
  const messages = [result(null, { a: 1 }), result(7, { b: 2 }), result(8, "text"), result(9, [3])];
  assert.deepEqual(
    shown(messages).map((content) => Object.keys(content)[0]),
    ["@7", "@9"],
  );
  assert.deepEqual(shown(messages)[1], { "@9": [3] });
});

test("numbers go on over the turns of a session, and what was told stands where it was told", () => {
  const words: Message = { role: "user", text: "hi", label: bottomLabel };
  const told: Message = { role: "user", text: "live", label: bottomLabel, told: true };
  const messages = [words, result(null, { a: 1 }), result(null, { b: 2 })];
  const sent = messagesAsSent({ messages, told: [{ after: 1, at: 0, messages: [told] }], resultsBefore: 4 });
  assert.deepEqual(sent, [words, told, result(5, { a: 1 }), result(6, { b: 2 })]);
  assert.ok(
    messagesAsSent({ messages, resultsBefore: 4 })[1] === sent[2],
    "the same object, which caches know",
  );
});

test("how to refer is said once, and what asks only where words of others are", () => {
  const [own, first, second] = shown([
    result(1, { a: 1 }),
    result(2, { b: 2 }, "untrusted"),
    result(3, { c: 3 }, "untrusted"),
  ]);
  assert.match(JSON.stringify(own), /@NUMBER\.FIELD/);
  assert.doesNotMatch(JSON.stringify(own), /from others/);
  assert.match(JSON.stringify(first), /This is from others/);
  assert.deepEqual(second, { "@3": { c: 3 } });
});
