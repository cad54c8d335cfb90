import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { changesOf, countedFiles, lossOf } from "./lost-files.ts";

const words = (file: number): string => `Report ${file} of the year\nwith plans, costs and names\n`.repeat(5);

/** How many of 30 documents count as lost where a command puts this into the first `most` of them. */
async function lost(
  t: TestContext,
  after: (file: number) => string,
  most = 30,
  before = words,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "lost-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["docs", "upper"]) mkdirSync(join(folder, name));
  const exchanges = Array.from({ length: most }, (_, file) => {
    const [path, incoming] = [join(folder, "docs", `${file}.txt`), join(folder, "upper", `${file}.txt`)];
    writeFileSync(path, before(file));
    writeFileSync(incoming, after(file));
    return { path, was: "file", incoming, becomes: "file" } as const;
  });
  return countedFiles(await lossOf(await changesOf({ exchanges }, folder))).length;
}

test("files of which next to nothing stays are lost, however few", async (t) => {
  assert.equal(await lost(t, () => ""), 30);
  assert.equal(await lost(t, () => "x"), 30);
  assert.equal(await lost(t, () => "x", 5), 5);
  assert.equal(await lost(t, () => " ".repeat(400), 5), 5);
  assert.equal(await lost(t, () => `${" ".repeat(3_000_000)}`, 2), 2);
});

test("files with wholly other contents are lost where they are many", async (t) => {
  const other = (file: number): string => `zzz yyy ${file + 1000} `.repeat(20);
  assert.equal(await lost(t, other), 30);
  assert.equal(await lost(t, (file) => Buffer.from(words(file)).toString("base64")), 30);
  assert.equal(await lost(t, other, 10), 0);
});

test("of very large files the ends and the size count", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lost-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const made = (name: string, size: number): string => {
    const path = join(folder, name);
    writeFileSync(path, words(1));
    truncateSync(path, size);
    appendFileSync(path, words(2));
    return path;
  };
  const [path, incoming] = [made("film", 90_000_000), made("now", 5_000_000)];
  const exchanges = [{ path, was: "file", incoming, becomes: "file" } as const];
  const { taken } = await lossOf(await changesOf({ exchanges }, folder));
  assert.deepEqual(taken, [path]);
});

test("an edit keeps the words of a file, and what moved to another one is there", async (t) => {
  assert.equal(await lost(t, (file) => words(file).replaceAll("plans", "aims").replaceAll(" ", "\t")), 0);
  assert.equal(await lost(t, (file) => words(file).toUpperCase()), 0);
  assert.equal(await lost(t, (file) => words(file).split("\n").toSorted().join("\r\n")), 0);
  const own = (file: number): string => `alone${file % 30} `.repeat(20);
  assert.equal(await lost(t, (file) => own(file + 1), 30, own), 0);
  assert.equal(await lost(t, (file) => own(file + 1), 20, own), 0, "all but one moved");
});

test("what a build makes again is not lost, unless git tracks it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lost-files-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["site/out", "upper"]) mkdirSync(join(folder, name), { recursive: true });
  const exchanges = ["book.tex", "book.pdf"].map((name) => {
    const [path, incoming] = [join(folder, "site/out", name), join(folder, "upper", name)];
    writeFileSync(path, words(1));
    writeFileSync(incoming, "x");
    return { path, was: "file", incoming, becomes: "file" } as const;
  });
  const taken = async (workspace: string): Promise<readonly string[]> =>
    (await lossOf(await changesOf({ exchanges }, join(folder, workspace)))).taken;
  assert.deepEqual(await taken("site"), []);
  for (const args of [
    ["init", "-q"],
    ["add", "site/out/book.tex"],
  ])
    execFileSync("git", ["-C", folder, ...args]);
  const [tracked] = exchanges;
  assert.deepEqual(await taken("site"), [tracked?.path]);
  execFileSync("git", ["init", "-q", "--separate-git-dir", join(folder, "own"), folder]);
  assert.deepEqual(await taken("site"), [tracked?.path], "the repository lies elsewhere");
  writeFileSync(join(folder, "own/index"), "broken");
  assert.equal((await taken("site")).length, 2, "its index cannot be read");
});
