import assert from "node:assert/strict";
import { test } from "node:test";
import { formatOutcome, formatPastStep } from "./format-outcome.ts";

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

test("a write of what is there already is told as no change, also of a past turn", () => {
  const action = {
    target: "write-file",
    payload: { args: { path: "b.txt", content: "x" } },
    explanation: "",
  };
  const event = { tool: "write-file", status: "success", code: "", content: { path: "b.txt" } } as const;
  const told = ["write-file: done: b.txt (no change)"];
  assert.deepEqual(formatOutcome({ ...event, changes: [] }, action), told);
  const changed = { files: 0, deleted: 0, added: 0, removed: 0 };
  assert.deepEqual(formatPastStep({ ...event, call: "k", result: event.content, action, changed }), told);
});

test("why a command failed or was not kept stands last, and is never left out, however long it is", () => {
  const output = Array.from({ length: 30 }, (_, at) => `create mode 100644 f${at}`);
  const conflicts = Array.from({ length: 24 }, (_, at) => `/w/${at} was changed by somebody else.`);
  for (const reason of [
    ["Nothing of what the command changed was made here.", ...conflicts],
    ["sh was ended after 30 s.", "It had changed this before, and /undo takes it back:", ...conflicts],
  ]) {
    const content = [...output, ...reason].join("\n");
    const told = formatOutcome({ tool: "shell", status: "error", code: "not-made", content }, null);
    assert.deepEqual(
      told.slice(-reason.length),
      reason.map((line) => `    │ ${line}`),
    );
    assert.equal(told[1], "    (30 lines before; /output shows all)");
  }
});
