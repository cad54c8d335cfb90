import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { merge, mergeAdjacent } from "./merge.ts";

const base = "* one\na\nb\nc\n* two\nd\ne\nf\n";

test("changes of different lines are merged, on either side", () => {
  const ours = base.replace("a\n", "A\nA2\n");
  const theirs = base.replace("\ne\n", "\n").replace("* two", "* TODO two");
  const joined = "* one\nA\nA2\nb\nc\n* TODO two\nd\nf\n";
  assert.deepEqual(merge(base, ours, theirs), { ok: true, text: joined });
  assert.deepEqual(merge(base, theirs, ours), { ok: true, text: joined });
});

test("changes of the same line, and of adjacent lines, are a conflict", () => {
  assert.deepEqual(merge(base, base.replace("b", "B"), base.replace("b", "X")), { ok: false });
  assert.deepEqual(merge(base, base.replace("b", "B"), base.replace("c", "C")), { ok: false });
  assert.deepEqual(merge(base, base.replace("b", "B"), base.replace("b\n", "")), { ok: false });
  assert.deepEqual(merge(base, `${base}x\n`, `${base}y\n`), { ok: false });
  assert.deepEqual(merge("", "x\n", "y\n"), { ok: false });
});

test("the same change on both sides is applied once", () => {
  const both = base.replace("b", "B");
  assert.deepEqual(merge(base, `${both}end\n`, both), { ok: true, text: `${both}end\n` });
});

test("line ends and a missing final newline stay, and no two lines are joined into one", () => {
  assert.deepEqual(merge("a\r\nb\r\nc", "A\r\nb\r\nc", "a\r\nb\r\nC"), { ok: true, text: "A\r\nb\r\nC" });
  assert.deepEqual(merge("a\nb\nc\nd", "a\nb\nc\nd\ne\n", "a\nc\nd"), { ok: true, text: "a\nc\nd\ne\n" });
});

test("where adjacent changes may be merged, only changes of the same lines are a conflict", () => {
  const noted = `${base}* note\n:ID: 1\n`;
  assert.deepEqual(mergeAdjacent(noted, base, `${noted}mine\n`), { ok: true, text: `${base}mine\n` });
  const around = noted.replace("* note", "mine\n* note").replace("f\n", "F\n");
  const kept = { ok: true, text: `${base.replace("f\n", "F\n")}mine\n` };
  assert.deepEqual(mergeAdjacent(noted, base, around), kept);
  assert.deepEqual(mergeAdjacent(base, `${base}x\n`, `${base}y\n`), { ok: true, text: `${base}y\nx\n` });
  assert.deepEqual(mergeAdjacent(noted, base, noted.replace("* note", "* my note")), { ok: false });
  assert.deepEqual(mergeAdjacent(base, base.replace("b\n", ""), base.replace("b", "b2")), { ok: false });
  assert.deepEqual(mergeAdjacent(noted, base, noted.replace(":ID:", "mine\n:ID:")), { ok: false });
  assert.deepEqual(mergeAdjacent("a\nb\n", "a", "a\nb\nc\n"), { ok: true, text: "a\nc\n" });
});

const line = fc.constantFrom("a\n", "b\n", "c\n", "* x\n", ":END:\n", "\n");
const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join(""));

test("entries that begin and end alike are merged as entries, wherever others came or went beside them", () => {
  const entry = (name: string): string =>
    `* ${name}\n:PROPERTIES:\n:ID: ${name}\n:ORIGIN: user\n:CREATED: today\n:END:\n`;
  const file = (names: string): string => [...names].map(entry).join("");
  for (const [base, ours, theirs, merged] of [
    ["ab", "a", "bc", "c"],
    ["ba", "b", "ac", "c"],
    ["ab", "a", "acbd", "acd"],
    ["a", "", "cab", "cb"],
    ["abd", "ab", "adc", "ac"],
  ] as const) {
    assert.deepEqual(mergeAdjacent(file(base), file(ours), file(theirs)), { ok: true, text: file(merged) });
    assert.deepEqual(mergeAdjacent(file(base), file(theirs), file(ours)), { ok: true, text: file(merged) });
  }
});

test("a side without changes yields to the other, and sides may be swapped", () => {
  fc.assert(
    fc.property(text, text, text, (start, ours, theirs) => {
      assert.deepEqual(merge(start, ours, start), { ok: true, text: ours });
      assert.deepEqual(merge(start, start, theirs), { ok: true, text: theirs });
      assert.deepEqual(merge(start, ours, theirs), merge(start, theirs, ours));
    }),
    { numRuns: 2000 },
  );
});

test("merging adjacent changes keeps every line that either side added, and gives what merge gives wherever that is no conflict", () => {
  fc.assert(
    fc.property(text, text, text, (start, ours, theirs) => {
      const merged = mergeAdjacent(start, ours, theirs);
      const strict = merge(start, ours, theirs);
      if (strict.ok) assert.deepEqual(merged, strict);
      assert.equal(mergeAdjacent(start, theirs, ours).ok, merged.ok);
      const added = (now: string) => now.split("\n").filter((one) => !start.split("\n").includes(one));
      if (!merged.ok) return;
      for (const one of [...added(ours), ...added(theirs)])
        assert.ok(merged.text.split("\n").includes(one), one);
    }),
    { numRuns: 2000 },
  );
});

test("a text of distinct lines is merged whenever git merges it, with the same result", (t) => {
  if (spawnSync("git", ["--version"]).status !== 0) return t.skip("needs git");
  const folder = mkdtempSync(join(tmpdir(), "merge-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const change = fc.record({ at: fc.nat(19), with: fc.constantFrom("", "new\n", "new\nmore\n") });
  const start = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
  const changed = (changes: readonly { at: number; with: string }[], who: string): string =>
    start
      .map((old, at) => changes.find((one) => one.at === at)?.with.replaceAll("new", `${who} ${at}`) ?? old)
      .join("");
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), fc.array(change, { maxLength: 3 }), (mine, its) => {
      const texts = { ours: changed(mine, "ours"), base: start.join(""), theirs: changed(its, "theirs") };
      for (const [name, content] of Object.entries(texts)) writeFileSync(join(folder, name), content);
      const git = spawnSync("git", ["merge-file", "-p", "ours", "base", "theirs"], { cwd: folder });
      const merged = merge(texts.base, texts.ours, texts.theirs);
      assert.deepEqual(merged, git.status === 0 ? { ok: true, text: git.stdout.toString() } : { ok: false });
    }),
    { numRuns: 150 },
  );
});

test("megabytes with nothing in common, turned around, or of few different lines are merged or refused at once", () => {
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join("");
  const distinct = (mark: string) => lines(125_000, (at) => `${mark}${at.toString(36)}\n`);
  const few = (words: string, step: number) =>
    lines(250_000, (at) => `${words[(at * step) % words.length]}\n`);
  const same = "same line\n".repeat(100_000);
  const turned = distinct("a").split("\n").toReversed().join("\n");
  const started = performance.now();
  for (const [base, ours, theirs, ok] of [
    [distinct("a"), distinct("b"), distinct("c"), false],
    [distinct("a"), turned, `${distinct("a")}end\n`, false],
    [same, `${same}ours\n`, `theirs\n${same}`, true],
    [few("abc", 1), few("abcd", 7), few("bca", 5), false],
    ["x".repeat(1_000_000), "y".repeat(1_000_000), "x".repeat(1_000_000), true],
  ] as const)
    assert.equal(merge(base, ours, theirs).ok, ok);
  assert.ok(performance.now() - started < 120_000);
});
