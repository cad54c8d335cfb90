import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { coldCachePages, openIndexFile } from "./open-index.ts";
import { makeSqliteNoteIndex } from "./sqlite-note-index.ts";
import { coldSlice, lookForChanges, takeChanges } from "./sync-notes.ts";

// Brings an index up to date in a thread of its own, on a connection of its own, and ends. It posts how far it has come.
const { folder, file } = z.strictObject({ folder: z.string(), file: z.string() }).parse(workerData);
const index = makeSqliteNoteIndex(openIndexFile(file, coldCachePages).database);
try {
  const parts = { folder, index, clock: Date.now, breathe: () => null };
  const difference = await lookForChanges(parts);
  if (difference !== null) {
    await takeChanges(parts, difference, {
      slice: coldSlice,
      progress: (so) => parentPort?.postMessage(so),
      changed: () => undefined,
    });
    await index.root();
  }
} finally {
  await index.close();
}
