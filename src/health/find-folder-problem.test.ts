import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findFolderProblem } from "./find-folder-problem.ts";

test("a full disk prevents writing to a folder, and the message names the folder", () => {
  const folder = join(tmpdir(), "not-there-yet");
  assert.match(
    findFolderProblem(folder, () => 4096)?.text ?? "",
    /^\S+ \(for \S+\) is on a full disk\. Free some space\.$/,
  );
  assert.equal(findFolderProblem(folder), null);
});
