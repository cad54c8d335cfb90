import assert from "node:assert/strict";
import { test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import { estimateMessageTokens, estimateTokens } from "./estimate-tokens.ts";

test("a text is estimated at one token for 3.5 bytes of UTF-8, rounded up", () => {
  assert.equal(estimateTokens(""), 0);
  assert.equal(estimateTokens("seven77"), 2);
  assert.equal(estimateTokens("é".repeat(7)), 4);
  assert.equal(estimateTokens("x".repeat(351)), 101);
});

test("the estimate of a message includes its calls and results", () => {
  const outcome = { status: "success", content: { text: "x".repeat(350) } } as const;
  const result = { id: "r", tool: "read-file", outcome, label: bottomLabel };
  assert.ok(estimateMessageTokens({ role: "result", callId: "a", native: true, result }) > 100);
});
