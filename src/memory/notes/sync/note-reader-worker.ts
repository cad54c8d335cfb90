import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import type { NotesPlace } from "../folder/setup-files.ts";
import { makeFileRowsReader } from "../index/file-rows.ts";
import type { FileToRead, RowSlice } from "./read-in-worker-thread.ts";
import { emptySlice, isSliceFull, readIntoSlice } from "./read-slice.ts";
import { bulkSlice, endOfSlice } from "./sync-notes.ts";

// The thread that reads notes for the indexing process: it posts one slice for each `more`, and null at the end.
const { place: notes, files } = z
  .strictObject({ place: z.custom<NotesPlace>(), files: z.array(z.custom<FileToRead>()) })
  .parse(workerData);
const file = makeFileRowsReader();
const all = files.map(({ seen }) => seen);
// One slice after the other, also where `more` comes twice.
const place = { at: 0, before: Promise.resolve() };

parentPort?.on("message", () => {
  place.before = place.before.then(postSlice);
});

async function postSlice(): Promise<void> {
  if (place.at >= files.length) {
    parentPort?.postMessage(null);
    return;
  }
  const to = endOfSlice(all, place.at, bulkSlice);
  const { changed, ...taken } = emptySlice();
  const slice: RowSlice = { ...taken, changed: [] };
  for (const { seen, known } of files.slice(place.at, to)) {
    if (isSliceFull(slice)) break;
    await readIntoSlice({ ...taken, changed }, { place: notes, seen, known, now: Date.now() });
    // Converted to rows at once, so that the parsed file is garbage while it is young.
    for (const each of changed.splice(0).map(file)) slice.changed.push(each);
    place.at += 1;
  }
  parentPort?.postMessage(slice);
}
