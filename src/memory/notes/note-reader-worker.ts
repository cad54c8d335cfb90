import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { makeFiler } from "./filed-node.ts";
import type { FiledSlice, ToRead } from "./read-in-thread.ts";
import { coldSlice, emptySlice, endOfSlice, isFull, readInto } from "./sync-notes.ts";

// Reads files of notes for the process that files them: a slice for each `more`, null at the end.
const { folder, files } = z
  .strictObject({ folder: z.string(), files: z.array(z.custom<ToRead>()) })
  .parse(workerData);
const file = makeFiler();
const all = files.map(({ seen }) => seen);
const place = { at: 0 };

parentPort?.on("message", () => {
  if (place.at >= files.length) {
    parentPort?.postMessage(null);
    return;
  }
  const to = endOfSlice(all, place.at, coldSlice);
  const { changed, ...taken } = emptySlice();
  const slice: FiledSlice = { ...taken, changed: [] };
  for (const { seen, known } of files.slice(place.at, to)) {
    if (isFull(slice)) break;
    readInto({ ...taken, changed }, { folder, seen, known, now: Date.now() });
    // Filed at once: what was read of a file is garbage before it is old.
    slice.changed.push(...changed.splice(0).map(file));
    place.at += 1;
  }
  parentPort?.postMessage(slice);
});
