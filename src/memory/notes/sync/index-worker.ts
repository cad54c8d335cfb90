import type * as z from "zod";
import type { NodeChanges } from "../index/note-index.ts";
import { bufferNoteWords } from "../index/note-words.ts";
import { bulkCachePages, openIndexFile } from "../index/open-index-file.ts";
import { SqliteNoteIndex } from "../index/sqlite-note-index.ts";
import type { NoteFile, NoteStat } from "../nodes/note-node.ts";
import { type FileToRead, readInThread } from "./read-in-worker-thread.ts";
import { type indexReportSchema, indexRequestSchema } from "./run-index-worker.ts";
import {
  applyChanges,
  bulkSlice,
  type FolderChanges,
  type SyncParts,
  type SyncProgress,
  scanFolder,
} from "./sync-notes.ts";

/** Fewer bytes are not worth starting a thread. */
const fewBytes = 1_000_000;

// The child process that brings an index up to date, on a connection of its own, and reports its progress. For many files, a thread reads them meanwhile.
// The parent process ends it: it ignores signals that a terminal or a service sends to the whole process group.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
const leave = (): void => process.exit(1);
process.once("disconnect", leave);
process.once("message", (given) => {
  const { folder, file } = indexRequestSchema.parse(given);
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
  const { database } = openIndexFile(file, bulkCachePages);
  const index = new SqliteNoteIndex(database);
  const parts: SyncParts = { folder, index, clock: Date.now, yieldToEventLoop: () => null };
  try {
    bufferNoteWords(database);
    const difference = await scanFolder(parts);
    if (difference === null) return;
    if (difference.bytes > fewBytes) await takeMuch({ folder, index }, difference);
    else await takeLittle(parts, difference);
    await index.root();
  } finally {
    await index.close();
  }
}

async function takeLittle(parts: SyncParts, difference: FolderChanges): Promise<void> {
  let changes: NodeChanges | null = null;
  await applyChanges(parts, difference, {
    slice: bulkSlice,
    progress: (so) => void say(taken(so, changes)),
    changed: (made) => {
      changes = made;
    },
  });
}

type Apart = { readonly folder: string; readonly index: SqliteNoteIndex };

async function takeMuch({ folder, index }: Apart, { toRead, removed }: FolderChanges): Promise<void> {
  if (removed.length > 0) await index.remove(removed);
  const known = new Map((await index.files()).map((one) => [one.path, one] as const));
  let done = 0;
  for await (const slice of readInThread(folder, withKnown(toRead, known))) {
    if (slice.unchanged.length > 0) await index.touch(slice.unchanged);
    const changes = slice.changed.length > 0 ? await index.replaceRows(slice.changed) : null;
    if (slice.removed.length > 0) await index.remove(slice.removed);
    done += slice.unchanged.length + slice.changed.length + slice.removed.length;
    await say(taken({ done, of: toRead.length }, changes));
  }
}

function taken(so: SyncProgress, changes: NodeChanges | null): z.infer<typeof indexReportSchema> {
  return { ...so, changed: changes?.changed.at(-1), added: changes?.added.at(-1) };
}

/** Resolves after the message was sent, or at once if the parent is gone; then this process is about to end. */
function say(said: z.infer<typeof indexReportSchema>): Promise<void> {
  return new Promise((resolve) => void process.send?.(said, undefined, undefined, () => resolve()));
}

function withKnown(toRead: readonly NoteStat[], known: ReadonlyMap<string, NoteFile>): readonly FileToRead[] {
  return toRead.map((seen) => ({ seen, known: known.get(seen.path) ?? null }));
}
