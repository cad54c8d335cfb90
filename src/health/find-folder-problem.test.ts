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

test("a folder on a read-only disk is told as that, and not as one of another owner", () => {
  const refuse = () => {
    throw Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" });
  };
  assert.match(
    findFolderProblem(tmpdir(), refuse)?.text ?? "",
    /^\S+ is on a read-only disk\. Mount it writable\.$/,
  );
});
