import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWorld, open, put } from "./open-notes.fixture.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";

test("a small change that is expensive to index goes to a child process, a cheap one does not", async () => {
  const world = makeWorld({ "small.org": "* Small\n" });
  const cell = { inThread: false };
  await using notes = open(world, {
    worker: locateIndexWorker(),
    progress() {
      if (notes.status().indexing !== null) cell.inThread = true;
    },
  });
  const tookThread = async (path: string, text: string): Promise<boolean> => {
    cell.inThread = false;
    put(world, path, text);
    await notes.sync([path]);
    return cell.inThread;
  };
  await notes.sync();
  assert.equal(await tookThread("small.org", `* Small\n${"words ".repeat(5000)}\n`), false);
  assert.equal(notes.lastChanged(), "small.org::Small");
  assert.equal(await tookThread("many.org", "* a\n".repeat(2000)), true);
  assert.equal(await tookThread("links.org", `* Links\n${"[[a]]".repeat(18_000)}\n`), true);
  assert.equal(notes.lastChanged(), "links.org::Links");
  assert.equal(await tookThread("many.org", "* a\n"), true, "many nodes go");
  assert.equal(await tookThread("many.org", "* b\n"), false);
  assert.equal(await tookThread("large.org", "words\n".repeat(40_000)), true);
  assert.equal(await notes.index.count(), 7);
  assert.deepEqual(world.reports, []);
});
