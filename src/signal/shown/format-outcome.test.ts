import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOutcome } from "./format-outcome.ts";

test("a call that failed tells the file, and what its person can do", () => {
  const action = {
    target: "write-file",
    payload: { args: { path: "b.txt", content: "x" } },
    explanation: "",
  };
  const message = "b.txt: the file system is read-only. Mount it writable, or choose another place.";
  const event = { tool: "write-file", status: "error", code: "read-only", content: message } as const;
  assert.deepEqual(formatOutcome(event, action), [
    "write-file: failed (read-only): b.txt",
    `    │ ${message}`,
  ]);
});
