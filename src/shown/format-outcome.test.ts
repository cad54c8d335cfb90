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

test("what a command's programs did not know of its end is told to the person as to the model", () => {
  const note = "The other names (hard links) of a.txt keep what was there before.";
  const content = { stdout: "", stderr: "", exitCode: 0, note };
  assert.deepEqual(formatOutcome({ tool: "shell", status: "success", code: "", content }, null), [
    "shell: done (exit code 0)",
    `    (${note})`,
  ]);
});
