import { readContents, unreadContents } from "./contents-of-note.ts";
import type { NodeChanges, NoteIndex } from "./note-index.ts";
import type { NoteFile, ReadFile } from "./note-node.ts";
import { readNoteBytes } from "./read-note-file.ts";
import { type FoundFile, lookAtNote, type NoteProblem, walkNotes } from "./walk-notes.ts";

/** What is synced, and how: `breathe` is called again and again, and may let others work. */
export type SyncParts = {
  readonly folder: string;
  readonly index: NoteIndex;
  readonly clock: () => number;
  readonly breathe: () => Promise<void> | null;
};

/** What a look at the folder found to be done. */
export type Difference = {
  readonly toRead: readonly FoundFile[];
  /** Bytes of these together. */
  readonly bytes: number;
  readonly gone: readonly string[];
  /** Null after a look at single files. */
  readonly folders: readonly string[] | null;
  readonly problems: readonly NoteProblem[];
};

/** How far reading has come. */
export type SyncProgress = { readonly done: number; readonly of: number };

/** Compares all entries of the folder with the index, opening no file; null where the folder is not there. */
export async function lookForChanges({ folder, index, breathe }: SyncParts): Promise<Difference | null> {
  const walked = await walkNotes(folder, breathe);
  if (walked === null) return null;
  const known = new Map((await index.files()).map((file) => [file.path, file] as const));
  const toRead = [...walked.files.values()].filter((found) => !isAsKnown(found, known.get(found.path)));
  const gone = [...known.keys()].filter((path) => !walked.files.has(path));
  return { toRead, bytes: sizeOf(toRead), gone, folders: walked.folders, problems: walked.problems };
}

/** The same for single files of which somebody said that they changed. Only for regular files and for those that the index has. */
export async function lookAtFiles(
  { folder, index }: SyncParts,
  paths: readonly string[],
): Promise<Difference> {
  const toRead: FoundFile[] = [];
  const gone: string[] = [];
  for (const path of paths) {
    const found = lookAtNote(folder, path);
    const known = await index.file(path);
    if (found === null && known !== null) gone.push(path);
    else if (found !== null && !isAsKnown(found, known ?? undefined)) toRead.push(found);
  }
  return { toRead, bytes: sizeOf(toRead), gone, folders: null, problems: [] };
}

/** Bytes and files that are read at most before they are written into the index, together. */
export type Slice = { readonly bytes: number; readonly files: number };

/** Where nobody waits: few transactions, each of a size that memory does not notice. */
export const coldSlice: Slice = { bytes: 1_000_000, files: 250 };

/** Where others wait meanwhile. */
export const smallSlice: Slice = { bytes: 131_072, files: 16 };

/** How changes are taken, and who hears of it. */
export type Taking = {
  readonly slice: Slice;
  readonly progress: (so: SyncProgress) => void;
  readonly changed: (changes: NodeChanges) => void;
};

/** Takes what was found into the index, slice by slice: each is whole or not at all, and what was done stays done. */
export async function takeChanges(
  parts: SyncParts,
  { toRead, gone }: Difference,
  { slice, progress, changed }: Taking,
): Promise<void> {
  if (gone.length > 0) changed(await parts.index.remove(gone));
  let from = 0;
  while (from < toRead.length) {
    const to = endOfSlice(toRead, from, slice);
    await takeSlice(parts, toRead.slice(from, to), changed);
    from = to;
    progress({ done: from, of: toRead.length });
    await parts.breathe();
  }
}

/** Where a slice that begins at a place ends. */
export function endOfSlice(toRead: readonly FoundFile[], from: number, slice: Slice): number {
  let bytes = 0;
  let to = from;
  while (to < toRead.length && to - from < slice.files) {
    bytes += toRead[to]?.size ?? 0;
    if (to > from && bytes > slice.bytes) break;
    to += 1;
  }
  return to;
}

async function takeSlice(
  parts: SyncParts,
  slice: readonly FoundFile[],
  tell: Taking["changed"],
): Promise<void> {
  let taken = emptySlice();
  for (const seen of slice) {
    if (isFull(taken)) {
      tell(await parts.index.replace(taken.changed));
      taken = { ...taken, changed: [] };
    }
    readInto(taken, {
      folder: parts.folder,
      seen,
      known: await parts.index.file(seen.path),
      now: parts.clock(),
    });
    await parts.breathe();
  }
  if (taken.same.length > 0) await parts.index.touch(taken.same);
  if (taken.changed.length > 0) tell(await parts.index.replace(taken.changed));
  if (taken.gone.length > 0) tell(await parts.index.remove(taken.gone));
}

/** Files as they were found: otherwise than they are known, the same in bytes, or not there any more. */
export type TakenSlice = {
  readonly changed: ReadFile[];
  readonly same: NoteFile[];
  readonly gone: string[];
};

/** A slice to read files into. */
export function emptySlice(): TakenSlice {
  return { changed: [], same: [], gone: [] };
}

type Filling = { readonly changed: readonly { readonly nodes: readonly unknown[] }[] };

/** So many nodes are enough for a slice, however small their files are: each takes memory until it is written. */
const enoughNodes = 20_000;

/** True for a slice that no further file should be read into. */
export function isFull({ changed }: Filling): boolean {
  return changed.reduce((count, { nodes }) => count + nodes.length, 0) >= enoughNodes;
}

/** What reading one file takes: `known` is what the index has of it. */
export type Reading = {
  readonly folder: string;
  readonly seen: FoundFile;
  readonly known: NoteFile | null;
  readonly now: number;
};

/** Reads a file into the part of a slice that it belongs to. */
export function readInto(taken: TakenSlice, { folder, seen, known, now }: Reading): void {
  const read = readNoteBytes(folder, seen);
  if (read.kind === "gone") {
    if (known !== null) taken.gone.push(seen.path);
  } else if (read.kind === "unreadable") {
    taken.changed.push(unreadContents(read.found, "", read.problem));
  } else {
    const found = settled(read.found, now);
    if (known?.digest === read.digest) taken.same.push({ ...known, ...found });
    else taken.changed.push(readContents(found, read.bytes, read.digest));
  }
}

/** The clocks of file systems are coarse: a file written twice within this many milliseconds may look the same. */
const coarseness = 50;

/** A file that was written a moment ago is taken as one to be looked into again. */
function settled(found: FoundFile, now: number): FoundFile {
  const age = now - Number(BigInt(found.modified) / 1_000_000n);
  return age >= 0 && age < coarseness ? { ...found, modified: "0" } : found;
}

function isAsKnown(found: FoundFile, known: NoteFile | undefined): boolean {
  return (
    known !== undefined &&
    found.size === known.size &&
    found.modified === known.modified &&
    found.changed === known.changed &&
    found.inode === known.inode
  );
}

function sizeOf(files: readonly FoundFile[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0);
}
