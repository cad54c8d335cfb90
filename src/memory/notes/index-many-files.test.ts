import assert from "node:assert/strict";
import { test } from "node:test";
import { KnownFolders } from "./folder/known-folders.ts";
import { MemoryNoteIndex } from "./index/memory-note-index.fixture.ts";
import type { NoteIndex } from "./index/note-index.ts";
import { makeWorld, open, put } from "./open-notes.fixture.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";
import { applyChanges, bulkSlice, scanFolders } from "./sync/sync-notes.ts";

test("many files are indexed in a child process while requests are answered", async () => {
  const world = makeWorld();
  const line = `${"some words of a note ".repeat(40)}\n`;
  for (let file = 0; file < 40; file += 1) {
    put(
      world,
      `n${file}.org`,
      Array.from({ length: 100 }, (_, node) => `* Node ${node} of ${file}\n${line}`).join(""),
    );
  }
  const seen: number[] = [];
  await using notes = open(world, {
    worker: locateIndexWorker(),
    progress: ({ done }) => void seen.push(done),
  });
  await notes.ready();
  assert.notEqual(notes.status().indexing, null, "it is ready before all is read");
  assert.deepEqual(await notes.index.search("never", 1), []);
  await notes.sync();
  assert.equal(await notes.index.count(), 40 * 101);
  assert.equal(seen.at(-1), 40);
  assert.deepEqual(world.reports, []);
});

test("files with many nodes are written before more are read, and a file with too many headings is reported and not read", async () => {
  const world = makeWorld();
  for (const name of ["a", "b", "c"]) put(world, `${name}.org`, "* \n".repeat(10_500));
  put(world, "d.org", `${"* \n".repeat(200_002)}`);
  const written: number[] = [];
  class CountingIndex extends MemoryNoteIndex {
    override async replace(files: Parameters<NoteIndex["replace"]>[0]): ReturnType<NoteIndex["replace"]> {
      written.push(files.flatMap(({ nodes }) => nodes).length);
      return super.replace(files);
    }
  }
  const index = new CountingIndex();
  const parts = {
    folder: world.folder,
    variables: [],
    index,
    known: new KnownFolders(world.file),
    clock: Date.now,
    yieldToEventLoop: () => null,
  };
  const difference = await scanFolders(parts);
  assert.ok(difference !== null);
  await applyChanges(parts, difference, { slice: bulkSlice, progress: () => {}, changed: () => {} });
  assert.deepEqual(written, [21_002, 10_501]);
  assert.match((await index.file("d.org"))?.problem ?? "", /too many headings .*\(200001; at most 200000\)/);
});

test("notes close at once while a child process indexes, and the next sync continues its work", async () => {
  const world = makeWorld();
  for (let file = 0; file < 300; file += 1)
    put(world, `n${file}.org`, `* Node ${file}\n${"words ".repeat(2000)}\n`);
  {
    await using notes = open(world, { worker: locateIndexWorker() });
    await notes.ready();
  }
  assert.deepEqual(world.reports, []);
  await using notes = open(world, { worker: locateIndexWorker() });
  await notes.sync();
  assert.equal((await notes.index.files()).length, 300);
  const root = await notes.index.root();
  await notes.rebuild();
  assert.equal(await notes.index.root(), root);
});

test("two syncs of one folder into one index at the same time give the same index", async () => {
  const world = makeWorld();
  for (let file = 0; file < 100; file += 1) put(world, `n${file}.org`, `* Node ${file}\n`);
  await using one = open(world);
  await using other = open(world);
  await Promise.all([one.sync(), other.sync()]);
  put(world, "n5.org", "* Changed\n");
  await Promise.all([one.sync(["n5.org"]), other.sync(["n5.org"])]);
  assert.equal(await one.index.root(), await other.index.root());
  assert.equal(await one.index.count(), 200);
});
