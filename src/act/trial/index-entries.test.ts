import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { indexEntries, indexNames } from "./index-entries.ts";

for (const [format, version] of [
  ["sha1", "2"],
  ["sha1", "3"],
  ["sha1", "4"],
  ["sha256", "2"],
] as const)
  test(`an index of version ${version} with ${format} says the same until an entry changes`, async (context) => {
    const cwd = await makeScratchFolder(context);
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
    const says = () => indexEntries(readFileSync(join(cwd, ".git/index")))?.toString("latin1") ?? "";
    git("init", "--quiet", `--object-format=${format}`);
    for (const name of ["a", "another longer name", "b"]) writeFileSync(join(cwd, name), name);
    git("add", "--all");
    if (version === "3") git("update-index", "--skip-worktree", "b");
    else git("update-index", "--index-version", version);
    const before = [says(), readFileSync(join(cwd, ".git/index"), "latin1")] as const;
    assert.equal(before[1].charCodeAt(7), Number(version));
    const names = indexNames(readFileSync(join(cwd, ".git/index")));
    assert.deepEqual([...(names ?? [])], ["a", "another longer name", "b"]);
    utimesSync(join(cwd, "a"), 1, 1);
    git("status");
    assert.notEqual(readFileSync(join(cwd, ".git/index"), "latin1"), before[1]);
    assert.equal(says(), before[0]);
    git("update-index", "--chmod=+x", "a");
    assert.notEqual(says(), before[0]);
  });

test("bytes that only begin like an index are none", () => {
  const empty = Buffer.from(`DIRC\0\0\0\x02\0\0\0\0${"x".repeat(20)}`, "latin1");
  assert.notEqual(indexEntries(empty), null);
  assert.equal(indexEntries(Buffer.concat([empty, Buffer.from("more")])), null);
  assert.equal(indexEntries(Buffer.from(`DIRC\0\0\0\x02\0\0\0\x05${"x".repeat(400)}`, "latin1")), null);
  assert.equal(indexEntries(Buffer.from("DIRC")), null);
});
