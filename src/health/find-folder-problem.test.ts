import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findFolderProblem } from "./find-folder-problem.ts";

test("a disk without room keeps a folder from being written, and is named", () => {
  const folder = join(tmpdir(), "not-there-yet");
  assert.match(
    findFolderProblem(folder, () => 4096) ?? "",
    /^\S+ \(for \S+\) is on a disk with no room left\. Free some\.$/,
  );
  assert.equal(findFolderProblem(folder), null);
});
