import type { BigIntStats } from "node:fs";
import { readlink } from "node:fs/promises";
import { bytesOfPath } from "../files/byte-names.ts";
import { haveSameBytes } from "./same-bytes.ts";

/** A file that was opened for writing and left as it was is copied all the same. */
export async function isSameEntry(
  before: { readonly path: string; readonly old: BigIntStats },
  after: { readonly path: string; readonly now: BigIntStats },
): Promise<boolean> {
  const { old } = before;
  const { now } = after;
  if (old.isSymbolicLink())
    return (await readlink(bytesOfPath(before.path))) === (await readlink(bytesOfPath(after.path)));
  if (old.size !== now.size || old.mode !== now.mode) return false;
  if (old.mtimeNs !== now.mtimeNs && !isNamedByContents(before.path)) return false;
  if (!old.isFile()) return true;
  if (old.size > largestCompared && !isNamedByContents(before.path)) return false;
  return haveSameBytes(before.path, after.path);
}

/**
 * Whether a file is an object of git or a pack of such, by its path. Of one that is there and that it would
 * write again, git changes the time alone.
 */
export function isNamedByContents(path: string): boolean {
  return /\/objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38,}|pack\/pack-[0-9a-f]{40,}\.[a-z]+)$/.test(path);
}

/**
 * Bytes. A larger file with the same size and time counts as changed, unless it is an object or a pack of
 * git.
 */
const largestCompared = 64_000_000n;
