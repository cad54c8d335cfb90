import type { FileHandle } from "node:fs/promises";
import { sha256 } from "../../machine/digest.ts";
import { catchFileErrors, done, type Fallible, problem } from "./fallible.ts";
import { openRegularFile } from "./open-file.ts";

/** A whole file: its bytes, their SHA-256 in hex, and the attributes that a copy must keep. */
export type FileContents = {
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
};

/** The maximum size of a file that is rewritten, in bytes: no pre-image of a larger file is kept. */
const maxRewriteBytes = 16 * 1024 * 1024;

/** Reads a whole regular file; null if there is none. A file above `largest` bytes is refused. `via` is another path to the same file. */
export async function readWholeFile(
  path: string,
  largest = maxRewriteBytes,
  via = path,
): Promise<Fallible<FileContents | null>> {
  const read = await catchFileErrors(path, async () => {
    const opened = await openRegularFile(path, undefined, via);
    if (!opened.ok) return opened;
    await using handle = opened.value;
    return await readOpenFile(handle, path, largest);
  });
  return !read.ok && read.code === "not-found" ? done(null) : read;
}

/** Reads a whole file that is open; one above `largest` bytes is refused. */
export async function readOpenFile(
  handle: FileHandle,
  path: string,
  largest: number,
): Promise<Fallible<FileContents>> {
  const found = await handle.stat();
  const tooLarge = problem(
    "too-large",
    `${path}: the file is larger than ${largest.toLocaleString("en")} bytes, so no copy of it would be kept. Nothing was done.`,
  );
  if (found.size > largest) return tooLarge;
  // What is added while it is read is not read: a writer compares the file again.
  const room = new Uint8Array(found.size);
  let filled = 0;
  while (filled < room.length) {
    const { bytesRead } = await handle.read(room, filled, room.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  const bytes = room.subarray(0, filled);
  return done({
    bytes,
    digest: sha256(bytes),
    mode: found.mode & 0o7777,
    owner: found.uid,
    group: found.gid,
  });
}
