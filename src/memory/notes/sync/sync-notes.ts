import { isNoteName } from "../../../notes/note-names.ts";
import type { NoteFile, NoteStat } from "../../../notes/note-node.ts";
import { describeLostFolders } from "../folder/describe-folders.ts";
import type { KnownFolders } from "../folder/known-folders.ts";
import { folderOfNote, foldersOf } from "../folder/notes-folders.ts";
import { makeSetupComparison, type NotesPlace } from "../folder/setup-files.ts";
import { type NoteProblem, statNote, walkNotes } from "../folder/walk-notes.ts";
import type { NodeChanges, NoteIndex } from "../index/note-index.ts";

/** What a sync needs. `yieldToEventLoop` is called often, so that other tasks run in between. */
export type SyncParts = NotesPlace & {
  readonly index: NoteIndex;
  readonly known: KnownFolders;
  readonly clock: () => number;
  readonly yieldToEventLoop: () => Promise<void> | null;
};

/** The differences between the notes folders and the index. */
export type FolderChanges = {
  readonly toRead: readonly NoteStat[];
  /** The total size of these files in bytes. */
  readonly bytes: number;
  readonly removed: readonly string[];
  /**
   * Every folder that was read, and the notes folders that do not exist, or have an empty folder in their
   * place; these stay in the index. Null after a scan of single files.
   */
  readonly folders: { readonly read: readonly string[]; readonly missing: readonly string[] } | null;
  readonly problems: readonly NoteProblem[];
};

/** The number of files that were read, and of those to read. */
export type SyncProgress = { readonly done: number; readonly of: number };

/** Compares all entries of the notes folders with the index without opening a file. */
export async function scanFolders(parts: SyncParts): Promise<FolderChanges> {
  const { index, yieldToEventLoop } = parts;
  const walked = await walkNotes(parts, yieldToEventLoop);
  const known = new Map((await index.files()).map((file) => [file.path, file] as const));
  const isSetupCurrent = makeSetupComparison(parts);
  const toRead = [...walked.files.values()].filter((found) => {
    const before = known.get(found.path);
    return !isAsKnown(found, before) || !isSetupCurrent(before?.setup ?? "");
  });
  const gone = Map.groupBy(
    [...known.keys()].filter((path) => !walked.files.has(path)),
    (path) => folderOfNote(parts, path),
  );
  const lost = await describeLostFolders(parts, parts.known);
  const missing = foldersOf(parts).filter(
    (folder) => walked.counts.get(folder) === undefined || lost.some(({ path }) => path === folder),
  );
  for (const [folder, files] of walked.counts)
    if (!missing.includes(folder)) await parts.known.note(folder, files);
  const removed = [...gone].flatMap(([folder, paths]) =>
    folder !== null && missing.includes(folder) ? [] : paths,
  );
  return {
    toRead,
    bytes: sizeOf(toRead),
    removed,
    folders: { read: walked.folders, missing },
    problems: [...walked.problems, ...lost],
  };
}

/** Compares single files that were reported as changed, and the notes that name them as setup files. */
export async function scanFiles(parts: SyncParts, paths: readonly string[]): Promise<FolderChanges> {
  const { index } = parts;
  const toRead: NoteStat[] = [];
  const removed: string[] = [];
  const isSetupCurrent = makeSetupComparison(parts);
  for (const { path, setup } of await index.filesWithSetup()) {
    const found = paths.includes(path) || isSetupCurrent(setup) ? null : await statNote(parts, path);
    if (found !== null) toRead.push(found);
  }
  for (const path of paths) {
    if (!isNoteName(path)) continue;
    const found = await statNote(parts, path);
    const known = await index.file(path);
    if (found === null && known !== null) removed.push(path);
    else if (found !== null && !(isAsKnown(found, known ?? undefined) && isSetupCurrent(known?.setup ?? "")))
      toRead.push(found);
  }
  return { toRead, bytes: sizeOf(toRead), removed, folders: null, problems: [] };
}

/** Limits of a slice: the bytes and files that are read before they are written to the index together. */
export type SliceLimits = { readonly bytes: number; readonly files: number };

/** For bulk indexing, where nobody waits: few transactions of moderate size. */
export const bulkSlice: SliceLimits = { bytes: 1_000_000, files: 250 };

/** For a process that serves requests meanwhile. */
export const smallSlice: SliceLimits = { bytes: 131_072, files: 16 };

/** How changes are applied, and who is told. */
export type ApplyOptions = {
  readonly slice: SliceLimits;
  readonly progress: (so: SyncProgress) => void;
  readonly changed: (changes: NodeChanges) => void;
};

/** Applies changes to the index slice by slice. Each slice is written completely or not at all, and stays written. */
export async function applyChanges(
  parts: SyncParts,
  { toRead, removed }: FolderChanges,
  { slice, progress, changed }: ApplyOptions,
): Promise<void> {
  if (removed.length > 0) changed(await parts.index.remove(removed));
  let from = 0;
  while (from < toRead.length) {
    const to = endOfSlice(toRead, from, slice);
    await takeSlice(parts, toRead.slice(from, to), changed);
    from = to;
    progress({ done: from, of: toRead.length });
    await parts.yieldToEventLoop();
  }
}

/** The index of the end of a slice. */
export function endOfSlice(toRead: readonly NoteStat[], from: number, slice: SliceLimits): number {
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
  slice: readonly NoteStat[],
  tell: ApplyOptions["changed"],
): Promise<void> {
  // Where nothing changed, nothing that parses notes is loaded.
  const { emptySlice, isSliceFull, readIntoSlice } = await import("./read-slice.ts");
  let taken = emptySlice();
  for (const seen of slice) {
    if (isSliceFull(taken)) {
      tell(await parts.index.replace(taken.changed));
      taken = { ...taken, changed: [] };
    }
    await readIntoSlice(taken, {
      place: parts,
      seen,
      known: await parts.index.file(seen.path),
      now: parts.clock(),
    });
    await parts.yieldToEventLoop();
  }
  if (taken.unchanged.length > 0) await parts.index.touch(taken.unchanged);
  if (taken.changed.length > 0) tell(await parts.index.replace(taken.changed));
  if (taken.removed.length > 0) tell(await parts.index.remove(taken.removed));
}

function isAsKnown(found: NoteStat, known: NoteFile | undefined): boolean {
  return (
    known !== undefined &&
    found.size === known.size &&
    found.modified === known.modified &&
    found.changed === known.changed &&
    found.inode === known.inode
  );
}

function sizeOf(files: readonly NoteStat[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0);
}
