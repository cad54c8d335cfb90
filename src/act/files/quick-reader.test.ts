import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readWholeFile } from "./contents.ts";
import { makeQuickReader } from "./quick-reader.ts";

test("a small file is read at once as it is read otherwise; a link, a pipe, a folder, a large file and one of the kernel are left to the usual way", async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "quick-reader-")));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = (name: string): string => join(folder, name);
  const read = await makeQuickReader(folder, () => 0);
  for (let file = 1; file < 100; file += 1)
    assert.equal(read(path("first")), null, "the usual way shows how fast the disk is");
  for (const [name, text] of [
    ["empty", ""],
    ["plain", "one\ntwo\n"],
    ["full", "x".repeat(262_144)],
  ] as const) {
    writeFileSync(path(name), text);
    const usual = await readWholeFile(path(name));
    assert.ok(usual.ok && usual.value !== null);
    assert.deepEqual(Buffer.from(read(path(name)) ?? "no"), Buffer.from(usual.value.bytes), name);
  }
  writeFileSync(path("large"), "x".repeat(262_145));
  mkdirSync(path("d"));
  writeFileSync(path("d/inner"), "inner");
  symlinkSync("plain", path("link"));
  symlinkSync("d", path("led"));
  execFileSync("mkfifo", [path("pipe")]);
  for (const name of ["large", "d", "link", "led/inner", "pipe", "missing"])
    assert.equal(read(path(name)), null, name);
  assert.equal(read("/proc/self/status"), null);
  const ofKernel = await makeQuickReader("/proc/self", () => 0);
  for (let file = 1; file < 101; file += 1) assert.equal(ofKernel("/proc/self/status"), null);
});

test("where the disk is slow, or becomes it, files are left to the usual way", async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "quick-reader-")));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "plain");
  writeFileSync(file, "words");
  const now = { milliseconds: 0, aCall: 0 };
  const clock = (): number => {
    now.milliseconds += now.aCall;
    return now.milliseconds;
  };
  const answers = async (first: number, then: number): Promise<readonly boolean[]> => {
    now.aCall = 0;
    const read = await makeQuickReader(folder, clock);
    for (let number = 1; number < 100; number += 1) assert.equal(read(file), null);
    now.milliseconds += first * 100;
    const found = [read(file) !== null];
    now.aCall = then;
    found.push(read(file) !== null);
    now.aCall = 0;
    return [...found, read(file) !== null];
  };
  assert.deepEqual(await answers(1, 0), [true, true, true]);
  assert.deepEqual(await answers(31, 0), [false, false, false]);
  assert.deepEqual(await answers(1, 100), [true, false, false]);
});
