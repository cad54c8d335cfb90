import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { formatDiffs } from "../../shown/format-diff.ts";
import { countDiffs, wordsOfCount } from "../../signal/count-diffs.ts";
import { diffsOfPlaces } from "./difference-diffs.ts";

/**
 * The diffs between two folders that a function fills, as lines: the name, what became of it, and the rows
 * of its diff.
 */
async function compared(
  t: TestContext,
  fill: (before: string, after: string) => void,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-compared-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [before, after, path] = [join(folder, "before"), join(folder, "after"), join(folder, "w")];
  for (const each of [before, after]) mkdirSync(each);
  fill(before, after);
  const diffs = await diffsOfPlaces([{ path, before, after }], () => true);
  return diffs
    .map(({ path: at, change, diff }) =>
      [`${change} ${relative(path, at)}`, ...diff.split("\n").filter((row) => /^[-+]/.test(row))].join("|"),
    )
    .toSorted();
}

test("links, and folders without anything in them, stand among what was changed, with where a link leads", async (t) => {
  const told = await compared(t, (before, after) => {
    symlinkSync("a.txt", join(before, "current"));
    symlinkSync("b\nc", join(after, "current"));
    symlinkSync("same", join(before, "same"));
    symlinkSync("same", join(after, "same"));
    mkdirSync(join(before, "gone"));
    mkdirSync(join(after, "made/deep"), { recursive: true });
    for (const each of [before, after]) mkdirSync(join(each, "stays"));
    mkdirSync(join(before, "was-full"));
    mkdirSync(join(after, "was-full"));
    writeFileSync(join(before, "was-full/x"), "x\n");
    writeFileSync(join(before, "file"), "four");
    symlinkSync("made", join(after, "file"));
  });
  assert.deepEqual(told, [
    "create made/deep|+an empty folder",
    "delete gone|-an empty folder",
    "delete was-full/x|-x",
    "replace current|-a link to a.txt|+a link to b␤c",
    "replace file|-not compared, 4 bytes|+a link to made",
    "replace same",
  ]);
});

test("other permissions of a file that holds the same are told, as they are kept", async (t) => {
  const told = await compared(t, (before, after) => {
    for (const each of [before, after]) {
      for (const name of ["a.txt", "run"]) writeFileSync(join(each, name), "same\n");
      writeFileSync(join(each, "data"), Buffer.from([0, 1, 2]));
    }
    chmodSync(join(before, "a.txt"), 0o644);
    chmodSync(join(after, "a.txt"), 0o600);
    chmodSync(join(before, "run"), 0o644);
    chmodSync(join(after, "run"), 0o4755);
    chmodSync(join(before, "data"), 0o640);
    chmodSync(join(after, "data"), 0o440);
  });
  assert.deepEqual(told, [
    "replace a.txt|-permissions 644|+permissions 600",
    "replace data|-permissions 640|+permissions 440",
    "replace run|-permissions 644|+permissions 755",
  ]);
});

test("of many files the lines of each are counted, and behind those that are named one entry counts all others", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-many-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "before"));
  for (let file = 0; file < 1_050; file += 1) writeFileSync(join(folder, "before", `${file}`), "x\n");
  const places = { path: join(folder, "w"), before: join(folder, "before"), after: null };
  const diffs = await diffsOfPlaces([places], () => true);
  assert.deepEqual(diffs.at(-1)?.rest, { files: 50, deleted: 50 });
  const count = countDiffs(diffs);
  assert.deepEqual(count, { files: 1_050, deleted: 1_050, added: 0, removed: 1_000, uncounted: 50 });
  assert.equal(wordsOfCount(count), "1,050 files +0 −1000 in 1,000 of them, 1,050 deleted");
  const shown = formatDiffs(diffs, folder, 40);
  assert.equal(shown.at(-1), "  and 1,010 more files (+0 −960 in 960 of them, 1,010 deleted)");
  assert.equal(shown.filter((row) => row.includes("deleted w/")).length, 40);
});
