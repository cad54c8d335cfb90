import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { writeMemex } from "../../bench/memex.ts";
import { openNotes } from "../../src/memory/notes/open-notes.ts";
import { locateIndexWorker } from "../../src/memory/notes/sync/run-index-worker.ts";

const root = mkdtempSync(join(tmpdir(), "index-size-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** Bytes of the index for each byte of notes. */
const most = 2.5;

test(`the index takes at most ${most} bytes for each byte of notes`, async () => {
  const [folder, file] = [join(root, "notes"), join(root, "index.db")];
  const { bytes } = writeMemex(folder, 2000);
  {
    await using notes = openNotes({
      folder,
      variables: [],
      file,
      clock: Date.now,
      worker: locateIndexWorker(),
      progress: () => undefined,
      labels: { privacyTags: [], originsOf: async () => new Map() },
      yieldToEventLoop: () => setImmediate(),
      report: assert.fail,
    });
    await notes.sync();
    assert.equal(await notes.index.count(), 2020);
    assert.equal((await notes.index.search("train garden", 10)).length, 10);
  }
  const taken = statSync(file).size / bytes;
  assert.ok(taken <= most, `${taken.toFixed(2)} bytes for each byte of notes`);
});
