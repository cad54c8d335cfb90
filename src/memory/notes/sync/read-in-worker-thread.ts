import { on } from "node:events";
import { Worker } from "node:worker_threads";
import * as z from "zod";
import type { NoteFile, NoteStat } from "../../../notes/note-node.ts";
import { buildEntry } from "../../../signal/build-entry.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import type { FileRows } from "../index/file-rows.ts";
import type { FileSlice } from "./read-slice.ts";

/** A file to read, with its entry in the index. */
export type FileToRead = { readonly seen: NoteStat; readonly known: NoteFile | null };

/** A slice with its files converted to rows. */
export type RowSlice = Omit<FileSlice, "changed"> & { readonly changed: FileRows[] };

/** How many slices may wait for writing. */
const readAhead = 2;

/** Reads files in a worker thread, slice by slice, while the caller writes the previous slices. */
export async function* readInThread(
  place: NotesPlace,
  files: readonly FileToRead[],
): AsyncGenerator<RowSlice> {
  if (files.length === 0) return;
  const ending = new AbortController();
  const thread = new Worker(buildEntry("note-reader-worker"), {
    workerData: { place, files },
    env: {},
    argv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 48 },
  });
  const messages = on(thread, "message", { signal: ending.signal, close: ["exit"] });
  try {
    for (let ahead = 0; ahead < readAhead; ahead += 1) thread.postMessage("more");
    for await (const [message] of messages) {
      const slice = sliceSchema.parse(message);
      if (slice === null) return;
      thread.postMessage("more");
      yield slice;
    }
    throw new Error("the thread that reads the notes ended too early");
  } finally {
    ending.abort();
    await thread.terminate();
  }
}

/** The messages of our own thread; null at the end. */
const sliceSchema = z.custom<RowSlice | null>();
