import type { NoteFile, NoteStat, ParsedFile } from "../../../notes/note-node.ts";
import { parseNoteFile, unparsedNoteFile } from "../../../notes/parse-note-file.ts";
import { readNoteBytes } from "../folder/read-note-file.ts";
import { type NotesPlace, openSetupFiles } from "../folder/setup-files.ts";

/** Files that were read: changed ones, ones with unchanged bytes, and ones that no longer exist. */
export type FileSlice = {
  readonly changed: ParsedFile[];
  readonly unchanged: NoteFile[];
  readonly removed: string[];
};

/** Makes an empty slice. */
export function emptySlice(): FileSlice {
  return { changed: [], unchanged: [], removed: [] };
}

type Filling = { readonly changed: readonly { readonly nodes: readonly unknown[] }[] };

/** Most nodes in a slice: each takes memory until it is written. */
const enoughNodes = 20_000;

/** True for a slice that should be written before another file is read. */
export function isSliceFull({ changed }: Filling): boolean {
  return changed.reduce((count, { nodes }) => count + nodes.length, 0) >= enoughNodes;
}

/** A file to read into a slice. `known` is its entry in the index. */
export type FileReadRequest = {
  readonly place: NotesPlace;
  readonly seen: NoteStat;
  readonly known: NoteFile | null;
  readonly now: number;
};

/** Reads a file into the list of the slice that it belongs to. */
export async function readIntoSlice(
  taken: FileSlice,
  { place, seen, known, now }: FileReadRequest,
): Promise<void> {
  const read = await readNoteBytes(place, seen);
  if (read.kind === "gone") {
    if (known !== null) taken.removed.push(seen.path);
  } else if (read.kind === "unreadable") {
    const setup = openSetupFiles(place, seen.path).seen();
    taken.changed.push(unparsedNoteFile(read.found, { digest: "", setup, problem: read.problem }));
  } else {
    const found = settled(read.found, now);
    const setup = openSetupFiles(place, seen.path);
    if (known?.digest === read.digest && setup.isCurrent(known.setup))
      taken.unchanged.push({ ...known, ...found });
    else taken.changed.push(parseNoteFile({ ...read, found }, setup));
  }
}

/** Timestamps of file systems are coarse: two writes within this many milliseconds may look the same. */
const coarseness = 50;

/** Marks a file that was written a moment ago as changed, so that the next sync reads it again. */
function settled(found: NoteStat, now: number): NoteStat {
  const age = now - Number(BigInt(found.modified) / 1_000_000n);
  return age >= 0 && age < coarseness ? { ...found, modified: "0" } : found;
}
