import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { makeWorld, open, put, type World } from "./open-notes.fixture.ts";

/** Indexes in small slices, and says so after each. */
const indexing = ({ folder, file }: World): string => `
  import { openIndexFile } from ${JSON.stringify(import.meta.resolve("./index/open-index-file.ts"))};
  import { SqliteNoteIndex } from ${JSON.stringify(import.meta.resolve("./index/sqlite-note-index.ts"))};
  import { KnownFolders } from ${JSON.stringify(import.meta.resolve("./folder/known-folders.ts"))};
  import { scanFolders, applyChanges } from ${JSON.stringify(import.meta.resolve("./sync/sync-notes.ts"))};
  const index = new SqliteNoteIndex((await openIndexFile(${JSON.stringify(file)})).database);
  const parts = { folder: ${JSON.stringify(folder)}, variables: [], index, known: new KnownFolders(${JSON.stringify(file)}), clock: Date.now, yieldToEventLoop: () => null };
  await applyChanges(parts, await scanFolders(parts), {
    slice: { bytes: 20_000, files: 10 },
    progress: ({ done }) => process.stdout.write(done + "\\n"),
    changed: () => undefined,
  });`;

test("a process that is killed while it indexes leaves an index that the next sync completes", async () => {
  const world = makeWorld();
  for (let file = 0; file < 200; file += 1) {
    put(
      world,
      `n${file}.org`,
      Array.from({ length: 30 }, (_, node) => `* Node ${node}\nsome words ${file}\n`).join(""),
    );
  }
  for (let kill = 0; kill < 3; kill += 1) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", indexing(world)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    await Promise.race([once(child.stdout, "data"), exited]);
    child.kill("SIGKILL");
    await exited;
  }
  await using notes = open(world);
  await notes.sync();
  const [root, count] = [await notes.index.root(), await notes.index.count()];
  assert.equal(count, 200 * 31);
  await notes.rebuild();
  assert.deepEqual([await notes.index.root(), await notes.index.count()], [root, count]);
});

test("two processes that index one folder at the same time leave one complete index", async () => {
  const world = makeWorld();
  for (let file = 0; file < 60; file += 1) {
    const nodes = Array.from({ length: 20 }, (_, node) => `* Node ${node}\nsome words ${file}\n`);
    put(world, `n${file}.org`, nodes.join(""));
  }
  const children = [1, 2].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", indexing(world)], {
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const ends = await Promise.all(children.map((child) => once(child, "exit")));
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0],
  );
  await using notes = open(world);
  assert.deepEqual([await notes.index.count(), (await notes.index.files()).length], [60 * 21, 60]);
  const root = await notes.index.root();
  await notes.rebuild();
  assert.equal(await notes.index.root(), root);
});
