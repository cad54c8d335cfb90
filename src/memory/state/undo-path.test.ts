import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredChange } from "./changes.ts";
import { changesFlippedByUndo, findUndoPath } from "./undo-path.ts";

function kept(
  number: number,
  before: string | null,
  after: string | null,
  changes: Partial<StoredChange> = {},
) {
  return {
    number,
    turn: "turn-1",
    session: "session-1",
    sequence: number,
    kind: "file" as const,
    path: "/a",
    before,
    after,
    preImage: before,
    mode: null,
    undone: false,
    undid: [],
    ...changes,
  };
}

test("the way back leads through every change to what the file held before the oldest", () => {
  const way = findUndoPath([kept(2, "A", "B"), kept(1, null, "A")], "B");
  assert.deepEqual([way.digest, way.conflict, way.passed.length], [null, false, 2]);
});

test("a change that was kept and never made is passed without a step", () => {
  const way = findUndoPath([kept(3, "B", "C"), kept(2, "A", "B"), kept(1, "A", "B")], "B");
  assert.deepEqual([way.digest, way.conflict, way.passed.length], ["A", false, 3]);
});

test("what somebody else wrote last ends the way before it begins", () => {
  const way = findUndoPath([kept(1, "A", "B")], "mine");
  assert.deepEqual([way.digest, way.conflict, way.passed], ["mine", true, []]);
});

test("what somebody else wrote in between is where the way ends", () => {
  const way = findUndoPath([kept(2, "mine", "C"), kept(1, "A", "B")], "C");
  assert.deepEqual([way.digest, way.conflict, way.passed.map(({ number }) => number)], ["mine", true, [2]]);
});

test("a file that holds what it is to hold is no conflict, whoever put it there", () => {
  const way = findUndoPath([kept(2, "B", "C"), kept(1, "A", "B")], "A");
  assert.deepEqual([way.digest, way.conflict, way.passed.length], ["A", false, 2]);
});

test("a file that was taken away comes back with the permissions that it had", () => {
  const way = findUndoPath([kept(1, "A", null, { mode: 0o755 })], null);
  assert.deepEqual([way.digest, way.mode], ["A", 0o755]);
});

test("taking back turns what stood, and what was undone by it, and nothing twice", () => {
  const first = kept(1, "A", "B", { undone: true });
  const back = kept(2, "B", "A", { undid: [1] });
  assert.deepEqual(changesFlippedByUndo([first]), []);
  assert.deepEqual(changesFlippedByUndo([back]), [2, 1]);
  assert.deepEqual(changesFlippedByUndo([back, first]), [2]);
  assert.deepEqual(changesFlippedByUndo([kept(3, "A", "B", { undid: [2, 1] }), back]), [3, 2]);
});
