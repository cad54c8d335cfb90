import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../signal/message.ts";
import type { Outcome, ToolResult } from "../../signal/tool.ts";
import { isForgotten } from "./is-forgotten.ts";
import { eraseResult } from "./redact.ts";

const label = { integrity: "agent", secrecy: "public", sources: [] } as const;

function messageOf(result: ToolResult): Message {
  return { role: "result", callId: "1", native: true, result };
}

test("a result that was erased counts as forgotten, whether its call failed, and whichever version erased it", () => {
  const error: Outcome = { status: "error", code: "failed", message: "no such file: diary.org" };
  const outcomes: readonly Outcome[] = [error, { status: "success", content: "my words" }];
  for (const outcome of outcomes) {
    const result: ToolResult = { id: "1", tool: "read-file", outcome, label };
    assert.equal(isForgotten(messageOf(result)), false);
    assert.equal(isForgotten(messageOf(eraseResult(result))), true);
  }
  const earlier: Outcome = { ...error, message: "not kept: forgotten" };
  assert.equal(isForgotten(messageOf({ id: "1", tool: "read-file", outcome: earlier, label })), true);
});
