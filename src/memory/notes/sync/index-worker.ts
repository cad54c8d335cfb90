import type * as z from "zod";
import type { NoteFile, NoteStat } from "../../../notes/note-node.ts";
import { KnownFolders } from "../folder/known-folders.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import { shrinkFilled } from "../index/index-schema.ts";
import type { NodeChanges } from "../index/note-index.ts";
import { bufferNoteWords } from "../index/note-words.ts";
import { bulkCachePages, openIndexFile } from "../index/open-index-file.ts";
import { SqliteNoteIndex } from "../index/sqlite-note-index.ts";
import { type FileToRead, readInThread } from "./read-in-worker-thread.ts";
import { type indexReportSchema, indexRequestSchema } from "./run-index-worker.ts";
import {
  applyChanges,
  bulkSlice,
  type FolderChanges,
  type SyncParts,
  type SyncProgress,
  scanFolders,
} from "./sync-notes.ts";

/** Fewer bytes are not worth starting a thread. */
const fewBytes = 1_000_000;

// The child process that brings an index up to date, on a connection of its own, and reports its progress. For many files, a thread reads them meanwhile.
// The parent process ends it: it ignores signals that a terminal or a service sends to the whole process group.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
const exit = (): void => process.exit(1);
process.once("disconnect", exit);
process.once("message", (given) => {
  const { file, ...place } = indexRequestSchema.parse(given);
  void bringUpToDate(place, file)
    .catch((error: unknown) => {
      process.exitCode = 1;
      return send({ failed: error instanceof Error ? error.message : String(error) });
    })
    .then(() => {
      process.off("disconnect", exit);
      process.disconnect();
    });
});

async function bringUpToDate(place: NotesPlace, file: string): Promise<void> {
  const { database } = await openIndexFile(file, bulkCachePages);
  const index = new SqliteNoteIndex(database);
  const known = new KnownFolders(file);
  const parts: SyncParts = { ...place, index, known, clock: Date.now, yieldToEventLoop: () => null };
  try {
    bufferNoteWords(database);
    const changes = await scanFolders(parts);
    if (changes.bytes > fewBytes) await indexWithThread({ place, index }, changes);
    else await indexAlone(parts, changes);
    shrinkFilled(database);
    await index.root();
  } finally {
    await index.close();
  }
}

async function indexAlone(parts: SyncParts, changes: FolderChanges): Promise<void> {
  let made: NodeChanges | null = null;
  await applyChanges(parts, changes, {
    slice: bulkSlice,
    progress: (so) => void send(report(so, made)),
    changed: (nodeChanges) => {
      made = nodeChanges;
    },
  });
}

type Target = { readonly place: NotesPlace; readonly index: SqliteNoteIndex };

async function indexWithThread({ place, index }: Target, { toRead, removed }: FolderChanges): Promise<void> {
  if (removed.length > 0) await index.remove(removed);
  const known = new Map((await index.files()).map((one) => [one.path, one] as const));
  let done = 0;
  for await (const slice of readInThread(place, withKnown(toRead, known))) {
    if (slice.unchanged.length > 0) await index.touch(slice.unchanged);
    const changes = slice.changed.length > 0 ? await index.replaceRows(slice.changed) : null;
    if (slice.removed.length > 0) await index.remove(slice.removed);
    done += slice.unchanged.length + slice.changed.length + slice.removed.length;
    await send(report({ done, of: toRead.length }, changes));
  }
}

function report(so: SyncProgress, changes: NodeChanges | null): z.infer<typeof indexReportSchema> {
  return { ...so, changed: changes?.changed.at(-1), added: changes?.added.at(-1) };
}

/** Resolves after the message was sent, or at once if the parent is gone; then this process is about to end. */
function send(message: z.infer<typeof indexReportSchema>): Promise<void> {
  return new Promise((resolve) => void process.send?.(message, undefined, undefined, () => resolve()));
}

function withKnown(toRead: readonly NoteStat[], known: ReadonlyMap<string, NoteFile>): readonly FileToRead[] {
  return toRead.map((seen) => ({ seen, known: known.get(seen.path) ?? null }));
}
