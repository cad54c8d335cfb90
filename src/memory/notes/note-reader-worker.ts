import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { makeFiler } from "./filed-node.ts";
import type { FiledSlice, ToRead } from "./read-in-thread.ts";
import { coldSlice, emptySlice, endOfSlice, isFull, readInto } from "./sync-notes.ts";

// Reads files of notes for the thread that files them: a slice for each `more`, null at the end.
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
  const taken = emptySlice();
  for (const { seen, known } of files.slice(place.at, to)) {
    if (isFull(taken)) break;
    readInto(taken, { folder, seen, known, now: Date.now() });
    place.at += 1;
  }
  const slice: FiledSlice = { ...taken, changed: taken.changed.map(file) };
  parentPort?.postMessage(slice);
});
