import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { listObjects, looseFile, readAdded } from "./loose-objects.ts";

test("what came to a repository is read from its files, and left to git where they may not say all", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-loose-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const git = (words: string, input = ""): string =>
    execFileSync("git", words.split(" "), { cwd: folder, input, encoding: "utf8" }).trim();
  git("init --quiet");
  const repository = join(folder, ".git");
  const added = async (before: Awaited<ReturnType<typeof listObjects>>) =>
    (await readAdded(repository, before, await listObjects(repository)))?.map(
      ({ type, bytes }) => `${type} ${bytes}`,
    ) ?? null;
  const first = git("hash-object -w --stdin", "first");
  const before = await listObjects(repository);
  assert.equal(await added(null), null);
  assert.deepEqual(await added(before), []);
  const second = git("hash-object -w --stdin", "second");
  assert.deepEqual(await added(before), ["blob second"]);
  const file = looseFile(repository, second);
  chmodSync(file, 0o644);
  for (const held of [deflateSync("blob 6\0forged"), "no object", deflateSync(Buffer.alloc(9_000_000))]) {
    writeFileSync(file, held);
    assert.equal(await added(before), null);
  }
  copyFileSync(looseFile(repository, first), file);
  assert.equal(await added(before), null, "it is another object");
  rmSync(file);
  git("pack-objects --quiet .git/objects/pack/pack", `${first}\n`);
  assert.equal(await added(before), null, "a pack came");
  const packed = await listObjects(repository);
  assert.deepEqual(await added(packed), []);
  const index = join(repository, "objects/pack/pack-many.idx");
  writeFileSync(index, "");
  truncateSync(index, 1_500_000);
  assert.equal(await listObjects(repository), null, "it has more than are looked at");
  rmSync(index);
  writeFileSync(join(repository, "objects/info/alternates"), "../../elsewhere\n");
  assert.equal(await added(packed), null, "others lend it theirs");
});
