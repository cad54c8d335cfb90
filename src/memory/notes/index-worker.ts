import type * as z from "zod";
import type { NoteFile } from "./note-node.ts";
import { gatherNoteWords } from "./note-words.ts";
import { coldCachePages, openIndexFile } from "./open-index.ts";
import { readInThread, type ToRead } from "./read-in-thread.ts";
import { indexingSchema, type saidSchema } from "./run-indexing.ts";
import { makeSqliteNoteIndex } from "./sqlite-note-index.ts";
import { lookForChanges } from "./sync-notes.ts";
import type { FoundFile } from "./walk-notes.ts";

// Brings an index up to date in a process of its own, on a connection of its own, and ends; a thread reads the files meanwhile. It says how far it has come.
// Who started it ends it: a signal to all of a terminal or a service is first that one's to heed.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
const leave = (): void => process.exit(1);
process.once("disconnect", leave);
process.once("message", (given) => {
  const { folder, file } = indexingSchema.parse(given);
  void bringUpToDate(folder, file)
    .catch((error: unknown) => {
      process.exitCode = 1;
      return say({ failed: error instanceof Error ? error.message : String(error) });
    })
    .then(() => {
      process.off("disconnect", leave);
      process.disconnect();
    });
});

async function bringUpToDate(folder: string, file: string): Promise<void> {
  const { database } = openIndexFile(file, coldCachePages);
  const index = makeSqliteNoteIndex(database);
  try {
    gatherNoteWords(database);
    const difference = await lookForChanges({ folder, index, clock: Date.now, breathe: () => null });
    if (difference === null) return;
    const { toRead, gone } = difference;
    if (gone.length > 0) await index.remove(gone);
    const known = new Map((await index.files()).map((one) => [one.path, one] as const));
    let done = 0;
    for await (const slice of readInThread(folder, withKnown(toRead, known))) {
      if (slice.same.length > 0) await index.touch(slice.same);
      if (slice.changed.length > 0) await index.take(slice.changed);
      if (slice.gone.length > 0) await index.remove(slice.gone);
      done += slice.same.length + slice.changed.length + slice.gone.length;
      await say({ done, of: toRead.length });
    }
    await index.root();
  } finally {
    await index.close();
  }
}

/** Resolves when it was said; where nobody listens any more, this process is about to end. */
function say(said: z.infer<typeof saidSchema>): Promise<void> {
  return new Promise((resolve) => void process.send?.(said, undefined, undefined, () => resolve()));
}

function withKnown(toRead: readonly FoundFile[], known: ReadonlyMap<string, NoteFile>): readonly ToRead[] {
  return toRead.map((seen) => ({ seen, known: known.get(seen.path) ?? null }));
}
