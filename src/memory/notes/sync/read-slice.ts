import { readNoteBytes } from "../folder/read-note-file.ts";
import type { NoteFile, NoteStat, ParsedFile } from "../nodes/note-node.ts";
import { parseNoteFile, unparsedNoteFile } from "../nodes/parse-note-file.ts";

/** Files as they were found: otherwise than they are known, the same in bytes, or not there any more. */
export type FileSlice = {
  readonly changed: ParsedFile[];
  readonly unchanged: NoteFile[];
  readonly removed: string[];
};

/** A slice to read files into. */
export function emptySlice(): FileSlice {
  return { changed: [], unchanged: [], removed: [] };
}

type Filling = { readonly changed: readonly { readonly nodes: readonly unknown[] }[] };

/** So many nodes are enough for a slice, however small their files are: each takes memory until it is written. */
const enoughNodes = 20_000;

/** True for a slice that no further file should be read into. */
export function isSliceFull({ changed }: Filling): boolean {
  return changed.reduce((count, { nodes }) => count + nodes.length, 0) >= enoughNodes;
}

/** What reading one file takes: `known` is what the index has of it. */
export type FileReadRequest = {
  readonly folder: string;
  readonly seen: NoteStat;
  readonly known: NoteFile | null;
  readonly now: number;
};

/** Reads a file into the part of a slice that it belongs to. */
export function readIntoSlice(taken: FileSlice, { folder, seen, known, now }: FileReadRequest): void {
  const read = readNoteBytes(folder, seen);
  if (read.kind === "gone") {
    if (known !== null) taken.removed.push(seen.path);
  } else if (read.kind === "unreadable") {
    taken.changed.push(unparsedNoteFile(read.found, "", read.problem));
  } else {
    const found = settled(read.found, now);
    if (known?.digest === read.digest) taken.unchanged.push({ ...known, ...found });
    else taken.changed.push(parseNoteFile(found, read.bytes, read.digest));
  }
}

/** The clocks of file systems are coarse: a file written twice within this many milliseconds may look the same. */
const coarseness = 50;

/** A file that was written a moment ago is taken as one to be looked into again. */
function settled(found: NoteStat, now: number): NoteStat {
  const age = now - Number(BigInt(found.modified) / 1_000_000n);
  return age >= 0 && age < coarseness ? { ...found, modified: "0" } : found;
}
