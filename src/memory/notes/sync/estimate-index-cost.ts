import { countOccurrences } from "../../../notes/parse-note-file.ts";
import type { NotesFolders } from "../folder/notes-folders.ts";
import { readNoteBytes } from "../folder/read-note-file.ts";
import type { NoteIndex } from "../index/note-index.ts";
import type { FolderChanges } from "./sync-notes.ts";

/** Amounts that each take about 100 ms to index on a slow machine, where a child process takes 500 ms to start: bytes of text, added or removed nodes, and links. */
const quick = { bytes: 200_000, nodes: 1600, links: 16_000 };

/** True if changes can be indexed in this process without a noticeable delay. The estimate is cheap itself: large files are not read for it. */
export async function isCheapToIndex(
  parts: NotesFolders & { readonly index: NoteIndex },
  { toRead, bytes, removed }: FolderChanges,
): Promise<boolean> {
  let cost = bytes / quick.bytes + (toRead.length + removed.length) / quick.nodes;
  if (cost > 1) return false;
  cost += (await parts.index.countInFiles([...removed, ...toRead.map(({ path }) => path)])) / quick.nodes;
  for (const seen of toRead) {
    if (cost > 1) return false;
    const read = await readNoteBytes(parts, seen);
    if (read.kind !== "read") continue;
    // The file may have grown since its entry was read.
    cost += Math.max(0, read.bytes.length - seen.size) / quick.bytes;
    cost +=
      countOccurrences(read.bytes, "\n*") / quick.nodes + countOccurrences(read.bytes, "[[") / quick.links;
  }
  return cost <= 1;
}
