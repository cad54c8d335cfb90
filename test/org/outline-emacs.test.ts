import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Outline, type OutlineEntry, readEntries, scanOutline } from "#org";
import { makeOutlineNotes } from "./outline-notes.ts";

// More files by OUTLINE_FILES, from another seed on by OUTLINE_SEED; another Org by EMACS_LOAD_PATH.
const count = Number(process.env["OUTLINE_FILES"] ?? 40);
const seed = Number(process.env["OUTLINE_SEED"] ?? 1);
const loadPath = process.env["EMACS_LOAD_PATH"];

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

test("the headlines of made-up notes are those of the installed Emacs", { skip }, (t) => {
  const files = makeFiles(t);
  const theirs = askEmacs(files.map(({ path }) => path));
  const ours = files.flatMap(({ path, outline }) => {
    const name = basename(path, ".org");
    return readEntries(outline, name).map((entry) => row(`${name}.org`, outline, entry));
  });
  assert.equal(ours.length, theirs.length);
  for (const [index, line] of ours.entries()) assert.deepEqual(line, theirs[index]);
  t.diagnostic(`${ours.length} headlines of ${files.length} files agree`);
});

function row(file: string, { text }: Outline, entry: OutlineEntry): unknown {
  const { begin, title, todo, done, allTags, localTags, scheduled, deadline, closed, properties } = entry;
  const line = text.slice(0, begin).split("\n").length;
  const own = [...properties].filter(([name]) => name !== "CATEGORY");
  const sorted = own.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return [file, line, title, todo, done, allTags, localTags, [scheduled, deadline, closed], sorted];
}

function makeFiles(t: TestContext): readonly { readonly path: string; readonly outline: Outline }[] {
  const folder = mkdtempSync(join(tmpdir(), "outline-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return Array.from({ length: count }, (_, index) => {
    const text = makeOutlineNotes(seed + index);
    const path = join(folder, `notes-${seed + index}.org`);
    writeFileSync(path, text);
    return { path, outline: scanOutline(text) };
  });
}

function askEmacs(paths: readonly string[]): readonly unknown[] {
  const load = loadPath === undefined ? [] : ["-L", loadPath];
  const program = join(import.meta.dirname, "outline-in-emacs.el");
  const run = spawnSync("emacs", ["-Q", "--batch", ...load, "-l", program, "--", ...paths], {
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
  });
  assert.equal(run.status, 0, run.stderr);
  const lines = run.stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}
