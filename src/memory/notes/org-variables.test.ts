import assert from "node:assert/strict";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { KnownFolders } from "./folder/known-folders.ts";
import { makeWorld, open, put } from "./open-notes.fixture.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";
import { scanFolders } from "./sync/sync-notes.ts";

const variables = [{ key: "TODO", value: "WAIT | OVER" }];

test("variables count for notes that a child process and its thread read", async () => {
  const world = makeWorld();
  for (let file = 0; file < 30; file += 1)
    put(world, `n${file}.org`, `* WAIT Node\n${"words ".repeat(10_000)}\n`);
  await using notes = open(world, { worker: locateIndexWorker(), variables });
  await notes.sync();
  const nodes = await Promise.all(
    Array.from({ length: 30 }, (_, file) => notes.index.node(`n${file}.org::Node`)),
  );
  assert.deepEqual([...new Set(nodes.map((node) => node?.todo))], ["WAIT"]);
  assert.deepEqual(world.reports, []);
});

test("notes are read again when the variables change, and not otherwise, those that cannot be parsed included", async () => {
  const world = makeWorld({
    "a.org": "* WAIT One\n",
    "own.org": "#+TODO: A | B\n* WAIT Two\n",
    "zero.org": "* a\0\n",
    "large.org": "",
    "setup.org": "#+SETUPFILE: s.inc\n* Three\n",
    "s.inc": "#+TODO: C | D\n",
  });
  truncateSync(join(world.folder, "large.org"), 40_000_000);
  // What was written a moment ago is read again in any case.
  await pause(60);
  const toRead = async (set: typeof variables): Promise<readonly string[]> => {
    await using notes = open(world, { variables: set });
    const known = new KnownFolders(world.file);
    const parts = {
      ...notes.place,
      index: notes.index,
      known,
      clock: Date.now,
      yieldToEventLoop: () => null,
    };
    const paths = (await scanFolders(parts))?.toRead.map(({ path }) => path) ?? [];
    await notes.sync();
    assert.deepEqual((await scanFolders(parts))?.toRead, []);
    assert.deepEqual(
      (await notes.index.filesWithSetup()).map(({ path }) => path),
      ["setup.org"],
    );
    return paths.toSorted();
  };
  const all = ["a.org", "large.org", "own.org", "setup.org", "zero.org"];
  assert.deepEqual(await toRead([]), all);
  assert.deepEqual(await toRead([]), []);
  assert.deepEqual(await toRead(variables), all);
  assert.deepEqual(await toRead(variables), []);
  assert.deepEqual(await toRead([{ key: "TODO", value: "WAIT OVER |" }]), all);
  assert.deepEqual(await toRead([]), all);
});
