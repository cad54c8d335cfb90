import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { makePrivateFolder } from "../../storage/private-file.ts";
import { isCopyOf, type NoteToForget, parseCopy } from "./note-copies.ts";

/** A version of a file that could not be written, kept for the owner. */
export type ConflictCopy = {
  /** The private folder of such versions; it is created if it is missing. */
  readonly folder: string;
  /** The file that it was meant for. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Unix milliseconds. */
  readonly at: number;
};

/** Saves a version under a new name, readable by its owner only, and returns its path. */
export function saveConflictCopy({ folder, path, bytes, at }: ConflictCopy): string {
  makePrivateFolder(folder);
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  for (let count = 1; ; count += 1) {
    const place = join(folder, `${stamp}${count === 1 ? "" : `-${count}`}-${basename(path)}`);
    const descriptor = openNew(place);
    if (descriptor === null) continue;
    try {
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return place;
  }
}

const asideName = /^\d{8}-\d{6}(?:-\d+)?-(.+?)(\.edit\.json)?$/;

/** Deletes the saved versions and edits that are copies of a note, and returns how many. */
export function deleteConflictCopies(folder: string, note: NoteToForget): number {
  if (!existsSync(folder)) return 0;
  const fileName = note.file === null ? null : basename(note.file);
  const copies = readdirSync(folder).filter((name) => {
    const [, of, edit] = asideName.exec(name) ?? [];
    if (of === undefined) return false;
    const content = parseCopy(readFileSync(join(folder, name), "utf8"), edit !== undefined);
    return isCopyOf(note, { content, isItsFile: of === fileName });
  });
  for (const name of copies) rmSync(join(folder, name));
  return copies.length;
}

function openNew(path: string): number | null {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return null;
    throw error;
  }
}
