import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { filesOfIndex } from "./checked-out.ts";
import { indexEntries, readIndex } from "./index-entries.ts";

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
    const names = readIndex(readFileSync(join(cwd, ".git/index")))?.files.map(({ name }) => name);
    assert.deepEqual(names, ["a", "another longer name", "b"]);
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

for (const format of ["sha1", "sha256"])
  test(`an index in two parts with ${format} lists what git lists`, async (context) => {
    const cwd = await makeScratchFolder(context);
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
    git("init", "--quiet", `--object-format=${format}`);
    git("config", "splitIndex.maxPercentChange", "100");
    const lists = async () => {
      const files = await filesOfIndex(join(cwd, ".git"), (path) => path);
      const lines = files?.map(({ mode, id, name }) => `${mode.toString(8)} ${id} 0\t${name}`);
      assert.deepEqual(lines?.toSorted(), git("ls-files", "--stage").trim().split("\n").toSorted());
    };
    const names = Array.from({ length: 200 }, (_, file) => `f${String(file).padStart(3, "0")}`);
    for (const name of names) writeFileSync(join(cwd, name), name);
    git("add", "--all");
    git("update-index", "--split-index");
    await lists();
    for (const name of names.slice(3, 150)) writeFileSync(join(cwd, name), `other ${name}`);
    writeFileSync(join(cwd, "a new one"), "new");
    git("add", "--all");
    git("rm", "--quiet", "--cached", "f000", ...names.slice(150, 180));
    await lists();
    git("rm", "--quiet", "--cached", ...names.slice(3, 150));
    assert.match(git("ls-files"), /^a new one\nf001\nf002\nf180\n/);
    await lists();
  });
