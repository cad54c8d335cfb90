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
  const read = await makeQuickReader(folder);
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
  const ofKernel = await makeQuickReader("/proc/self");
  assert.equal(ofKernel("/proc/self/status"), null);
});
