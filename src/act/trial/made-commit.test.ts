import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { parentsOfMade } from "./made-commit.ts";

for (const format of ["sha1", "sha256"])
  test(`the parents of a commit are known where the command wrote that very commit (${format})`, async (t) => {
    const folder = await makeScratchFolder(t);
    const repository = join(folder, ".git");
    const git = (...words: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...words], {
        cwd: folder,
        encoding: "utf8",
      }).trim();
    git("init", "-q", `--object-format=${format}`);
    git("commit", "-q", "--allow-empty", "-m", "one");
    const one = git("rev-parse", "HEAD");
    git("commit", "-q", "--allow-empty", "-m", "two");
    const two = git("rev-parse", "HEAD");
    const fileOf = (id: string): string => join(repository, "objects", id.slice(0, 2), id.slice(2));
    const elsewhere = (id: string, at = fileOf(id)) =>
      parentsOfMade(id, repository.replace(folder, "/outside"), () => at);
    assert.deepEqual(await elsewhere(two), [one]);
    assert.deepEqual(await elsewhere(one), []);
    assert.equal(await elsewhere(one, fileOf(two)), null, "it holds another commit");
    assert.equal(await elsewhere(one, repository), null, "it is no file");
    assert.equal(await elsewhere(one, join(folder, "none")), null);
    const forged = join(folder, "forged/object");
    mkdirSync(dirname(forged));
    writeFileSync(forged, deflateSync(`commit 3\0tree ${one}\nparent ${one}\n`));
    assert.equal(await elsewhere(two, forged), null);
    writeFileSync(forged, "no object");
    assert.equal(await elsewhere(two, forged), null);
    assert.equal(await parentsOfMade(two, repository, (path) => path), null, "it was there before");
    assert.equal(await parentsOfMade(two, repository, () => null), null);
    const copy = join(folder, "copy");
    copyFileSync(fileOf(two), copy);
    assert.deepEqual(await parentsOfMade(two, repository, () => copy), [one]);
    writeFileSync(join(repository, "shallow"), `${two}\n`);
    assert.equal(await parentsOfMade(two, repository, () => copy), null, "git looks no further");
  });
