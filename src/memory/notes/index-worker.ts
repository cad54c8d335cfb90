import type * as z from "zod";
import type { NodeChanges } from "./note-index.ts";
import type { NoteFile } from "./note-node.ts";
import { gatherNoteWords } from "./note-words.ts";
import { coldCachePages, openIndexFile } from "./open-index.ts";
import { readInThread, type ToRead } from "./read-in-thread.ts";
import { indexingSchema, type saidSchema } from "./run-indexing.ts";
import { makeSqliteNoteIndex } from "./sqlite-note-index.ts";
import {
  coldSlice,
  type Difference,
  lookForChanges,
  type SyncParts,
  type SyncProgress,
  takeChanges,
} from "./sync-notes.ts";
import type { FoundFile } from "./walk-notes.ts";

/** So many bytes are not worth the start of a thread. */
const fewBytes = 1_000_000;

// Brings an index up to date in a process of its own, on a connection of its own, and ends; where there is much, a thread reads the files meanwhile. It says how far it has come.
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
  const parts: SyncParts = { folder, index, clock: Date.now, breathe: () => null };
  try {
    gatherNoteWords(database);
    const difference = await lookForChanges(parts);
    if (difference === null) return;
    if (difference.bytes > fewBytes) await takeMuch({ folder, index }, difference);
    else await takeLittle(parts, difference);
    await index.root();
  } finally {
    await index.close();
  }
}

async function takeLittle(parts: SyncParts, difference: Difference): Promise<void> {
  let changes: NodeChanges | null = null;
  await takeChanges(parts, difference, {
    slice: coldSlice,
    progress: (so) => void say(taken(so, changes)),
    changed: (made) => {
      changes = made;
    },
  });
}

type Apart = { readonly folder: string; readonly index: ReturnType<typeof makeSqliteNoteIndex> };

async function takeMuch({ folder, index }: Apart, { toRead, gone }: Difference): Promise<void> {
  if (gone.length > 0) await index.remove(gone);
  const known = new Map((await index.files()).map((one) => [one.path, one] as const));
  let done = 0;
  for await (const slice of readInThread(folder, withKnown(toRead, known))) {
    if (slice.same.length > 0) await index.touch(slice.same);
    const changes = slice.changed.length > 0 ? await index.take(slice.changed) : null;
    if (slice.gone.length > 0) await index.remove(slice.gone);
    done += slice.same.length + slice.changed.length + slice.gone.length;
    await say(taken({ done, of: toRead.length }, changes));
  }
}

function taken(so: SyncProgress, changes: NodeChanges | null): z.infer<typeof saidSchema> {
  return { ...so, changed: changes?.changed.at(-1), added: changes?.added.at(-1) };
}

/** Resolves when it was said; where nobody listens any more, this process is about to end. */
function say(said: z.infer<typeof saidSchema>): Promise<void> {
  return new Promise((resolve) => void process.send?.(said, undefined, undefined, () => resolve()));
}

function withKnown(toRead: readonly FoundFile[], known: ReadonlyMap<string, NoteFile>): readonly ToRead[] {
  return toRead.map((seen) => ({ seen, known: known.get(seen.path) ?? null }));
}
