import { type BigIntStats, closeSync, constants, fstatSync, readFileSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { sha256 } from "../../../machine/digest.ts";
import type { NoteStat } from "../../../notes/note-node.ts";
import { foldersOf, type NotesFolders, pathOfNote } from "./notes-folders.ts";
import { isOpenInside, openInside } from "./open-inside.ts";
import { orNull, refusedAsNull } from "./or-null.ts";

/** Larger files (bytes) are not read as notes. */
export const maxNoteBytes = 33_554_432;

/** The result of reading a file. `gone`: the file no longer exists, or its path leads out of the notes folders. */
export type NoteReadResult =
  | { readonly kind: "read"; readonly found: NoteStat; readonly bytes: Buffer; readonly digest: string }
  | { readonly kind: "unreadable"; readonly found: NoteStat; readonly problem: string }
  | { readonly kind: "gone" };

/** How often a file is read again if it is written meanwhile. */
const mostTries = 3;

/** Reads a note as it was at one moment, with its directory entry of that moment. */
export async function readNoteBytes(place: NotesFolders, seen: NoteStat): Promise<NoteReadResult> {
  return readFile({ absolute: pathOfNote(place, seen.path), within: foldersOf(place) }, seen);
}

/**
 * Reads a note while all else waits, for a command in a process of its own and for a repair of a few notes;
 * null where it cannot be read.
 */
export function readNoteAtOnce(place: NotesFolders, path: string): Uint8Array | null {
  const descriptor = orNull(() => openInside(pathOfNote(place, path), foldersOf(place)));
  if (descriptor === null) return null;
  try {
    const status = fstatSync(descriptor);
    return status.isFile() && status.size <= maxNoteBytes ? readFileSync(descriptor) : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a file that a person named, wherever it is; null where there is no such file. */
export async function readNamedFile(path: string): Promise<NoteReadResult | null> {
  const status = await refusedAsNull(stat(path, { bigint: true }));
  return status?.isFile() === true ? readFile({ absolute: path, within: ["/"] }, statOf(path, status)) : null;
}

type FilePlace = { readonly absolute: string; readonly within: readonly string[] };

async function readFile(file: FilePlace, seen: NoteStat): Promise<NoteReadResult> {
  if (seen.size > maxNoteBytes) return { kind: "unreadable", found: seen, problem: tooLarge(seen.size) };
  try {
    for (let tries = 1; ; tries += 1) {
      const taken = await readOnce(file, seen.path);
      if (taken.kind !== "changing" || tries === mostTries)
        return taken.kind === "changing" ? acceptChanging(taken) : taken;
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    if (code === null) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "gone" };
    return {
      kind: "unreadable",
      found: seen,
      problem: `It cannot be read (${code}). Give your user the right to read it, or move it out of the notes folder.`,
    };
  }
}

type ChangingFile = { readonly kind: "changing"; readonly found: NoteStat; readonly bytes: Buffer };

async function readOnce(
  { absolute, within }: FilePlace,
  path: string,
): Promise<NoteReadResult | ChangingFile> {
  await using file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await isOpenInside(file, absolute, within))) return { kind: "gone" };
  const before = await file.stat({ bigint: true });
  const found = statOf(path, before);
  if (!before.isFile()) return { kind: "gone" };
  if (found.size > maxNoteBytes) return { kind: "unreadable", found, problem: tooLarge(found.size) };
  const bytes = await file.readFile();
  const after = statOf(path, await file.stat({ bigint: true }));
  if (after.modified !== found.modified || after.size !== found.size)
    return { kind: "changing", found, bytes };
  return { kind: "read", found, bytes, digest: sha256(bytes) };
}

/** A file that is written all the time is used as it was read, and marked as changed so that the next sync reads it again. */
function acceptChanging({ found, bytes }: ChangingFile): NoteReadResult {
  return { kind: "read", found: { ...found, modified: "0" }, bytes, digest: sha256(bytes) };
}

function statOf(path: string, status: BigIntStats): NoteStat {
  return {
    path,
    size: Number(status.size),
    modified: String(status.mtimeNs),
    changed: String(status.ctimeNs),
    inode: String(status.ino),
  };
}

function tooLarge(size: number): string {
  return `It is too large to be read as notes (${Math.round(size / 1_048_576)} MB; at most ${maxNoteBytes / 1_048_576} MB). Split it, or move it out of the notes folder.`;
}
