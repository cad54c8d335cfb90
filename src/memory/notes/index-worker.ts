import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import type { NodeChanges } from "./note-index.ts";
import { coldCachePages, openIndexFile } from "./open-index.ts";
import { readInThread, type ToRead } from "./read-in-thread.ts";
import { makeSqliteNoteIndex } from "./sqlite-note-index.ts";
import { coldSlice, lookForChanges, type SyncParts, type SyncProgress, takeChanges } from "./sync-notes.ts";
import type { FoundFile } from "./walk-notes.ts";

// Brings an index up to date in a thread of its own, on a connection of its own, and ends; where there is much, a further thread reads the files meanwhile. It posts how far it has come.
const { folder, file } = z.strictObject({ folder: z.string(), file: z.string() }).parse(workerData);
/** So many bytes are not worth the start of a further thread. */
const fewBytes = 1_000_000;
const index = makeSqliteNoteIndex(openIndexFile(file, coldCachePages).database);
try {
  const parts: SyncParts = { folder, index, clock: Date.now, breathe: () => null };
  const difference = await lookForChanges(parts);
  if (difference !== null && difference.bytes <= fewBytes) {
    let changes: NodeChanges | null = null;
    await takeChanges(parts, difference, {
      slice: coldSlice,
      progress: (so) => tell(so, changes),
      changed: (made) => {
        changes = made;
      },
    });
    await index.root();
  } else if (difference !== null) {
    const { toRead, gone } = difference;
    if (gone.length > 0) await index.remove(gone);
    let done = 0;
    for await (const slice of readInThread(folder, await withKnown(toRead))) {
      if (slice.same.length > 0) await index.touch(slice.same);
      const changes = slice.changed.length > 0 ? await index.take(slice.changed) : null;
      if (slice.gone.length > 0) await index.remove(slice.gone);
      done += slice.same.length + slice.changed.length + slice.gone.length;
      tell({ done, of: toRead.length }, changes);
    }
    await index.root();
  }
} finally {
  await index.close();
}

function tell(so: SyncProgress, changes: NodeChanges | null): void {
  parentPort?.postMessage({ ...so, changed: changes?.changed.at(-1), added: changes?.added.at(-1) });
}

async function withKnown(toRead: readonly FoundFile[]): Promise<readonly ToRead[]> {
  const known = new Map((await index.files()).map((one) => [one.path, one] as const));
  return toRead.map((seen) => ({ seen, known: known.get(seen.path) ?? null }));
}
