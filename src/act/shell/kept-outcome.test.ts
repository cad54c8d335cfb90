import assert from "node:assert/strict";
import { test } from "node:test";
import { endWithReason } from "../../shown/reason-at-end.ts";
import { withKept } from "./kept-outcome.ts";

test("where not all of what a command changed was made, the outcome lists what was not, and what was", () => {
  const outcome = { status: "success", content: { stdout: "moved\n", stderr: "", exitCode: 0 } } as const;
  const made = Array.from({ length: 22 }, (_, at) => `/w/${at}`);
  const done = made.map((path) => `${path} was deleted.`);
  const told = withKept(outcome, { done, conflicts: ["/w/b could not be made."], notes: [], made });
  assert.equal(told.status, "error");
  const lines = (told.status === "error" ? told.message : "").split("\n");
  assert.deepEqual(lines, [
    "The end of its output: moved",
    "Not all of what the command changed was made here.",
    "/w/b could not be made.",
    "This was done, and /undo takes it back:",
    ...done.slice(0, 20),
    "And 2 more.",
  ]);
  assert.deepEqual(endWithReason(lines, 8), lines.slice(1));
});

test("a command that was stopped, or failed otherwise, says what it changed before, and that this can be undone", () => {
  const outcome = { status: "error", code: "stopped", message: "bash was stopped." } as const;
  const told = withKept(outcome, { done: [], conflicts: [], notes: [], made: ["/w/a", "/w/b"] });
  assert.deepEqual(told, {
    ...outcome,
    message: "bash was stopped.\nIt had changed this before, and /undo takes it back:\n/w/a\n/w/b",
    changed: ["/w/a", "/w/b"],
  });
  assert.deepEqual(withKept(outcome, { done: [], conflicts: [], notes: [], made: [] }), {
    ...outcome,
    changed: [],
  });
});
