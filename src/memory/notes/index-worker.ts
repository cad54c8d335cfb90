import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { coldCachePages, openIndexFile } from "./open-index.ts";
import { readInThread, type ToRead } from "./read-in-thread.ts";
import { makeSqliteNoteIndex } from "./sqlite-note-index.ts";
import { lookForChanges } from "./sync-notes.ts";
import type { FoundFile } from "./walk-notes.ts";

// Brings an index up to date in a thread of its own, on a connection of its own, and ends; a further thread reads the files meanwhile. It posts how far it has come.
const { folder, file } = z.strictObject({ folder: z.string(), file: z.string() }).parse(workerData);
const index = makeSqliteNoteIndex(openIndexFile(file, coldCachePages).database);
try {
  const difference = await lookForChanges({ folder, index, clock: Date.now, breathe: () => null });
  if (difference !== null) {
    const { toRead, gone } = difference;
    if (gone.length > 0) await index.remove(gone);
    let done = 0;
    for await (const slice of readInThread(folder, await withKnown(toRead))) {
      if (slice.same.length > 0) await index.touch(slice.same);
      if (slice.changed.length > 0) await index.take(slice.changed);
      if (slice.gone.length > 0) await index.remove(slice.gone);
      done += slice.same.length + slice.changed.length + slice.gone.length;
      parentPort?.postMessage({ done, of: toRead.length });
    }
    await index.root();
  }
} finally {
  await index.close();
}

async function withKnown(toRead: readonly FoundFile[]): Promise<readonly ToRead[]> {
  const known = new Map((await index.files()).map((one) => [one.path, one] as const));
  return toRead.map((seen) => ({ seen, known: known.get(seen.path) ?? null }));
}
