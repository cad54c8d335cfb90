import { readNoteBytes } from "../folder/read-note-file.ts";
import type { NoteIndex } from "../index/note-index.ts";
import { countOccurrences } from "../nodes/parse-note-file.ts";
import type { FolderChanges } from "./sync-notes.ts";

/** So much of each takes about 100 ms to read and to write into an index, on a slow machine, where a process of its own takes 500: bytes of text, nodes that come or go, and links. */
const quick = { bytes: 200_000, nodes: 1600, links: 16_000 };

/** True where changes are taken so fast that nobody notices, whatever stands in the files. Cheap itself: what is large is not looked into. */
export async function isCheapToIndex(
  { folder, index }: { readonly folder: string; readonly index: NoteIndex },
  { toRead, bytes, removed }: FolderChanges,
): Promise<boolean> {
  let cost = bytes / quick.bytes + (toRead.length + removed.length) / quick.nodes;
  if (cost > 1) return false;
  cost += (await index.countInFiles([...removed, ...toRead.map(({ path }) => path)])) / quick.nodes;
  for (const seen of toRead) {
    if (cost > 1) return false;
    const read = readNoteBytes(folder, seen);
    if (read.kind !== "read") continue;
    // The file may have grown since it was looked at.
    cost += Math.max(0, read.bytes.length - seen.size) / quick.bytes;
    cost +=
      countOccurrences(read.bytes, "\n*") / quick.nodes + countOccurrences(read.bytes, "[[") / quick.links;
  }
  return cost <= 1;
}
