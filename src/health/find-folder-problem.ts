import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describeForeignOwner } from "../memory/storage/foreign-owner.ts";
import { describeError } from "../text/describe-error.ts";

/** Free bytes that storing a turn may need. */
const leastFree = 1024 * 1024;

/** What prevents writing to a folder, and what to do. */
export type FolderProblem = { readonly code: "full" | "unusable"; readonly text: string };

/** Finds what prevents writing to a folder, or creating it if it does not exist; null if nothing does. */
export function findFolderProblem(
  folder: string,
  freeBytes: (folder: string) => number = freeBytesOf,
): FolderProblem | null {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const name = nearest === folder ? nearest : `${nearest} (for ${folder})`;
  if (!statSync(nearest).isDirectory()) {
    return { code: "unusable", text: `${name} is not a folder. Rename or move it.` };
  }
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
    if (freeBytes(nearest) > leastFree) return null;
    return { code: "full", text: `${name} is on a full disk. Free some space.` };
  } catch (error) {
    const why = describeError(error);
    if (error instanceof Error && "code" in error && error.code === "EROFS")
      return { code: "unusable", text: `${name} is on a read-only disk. Mount it writable.` };
    const whose = describeForeignOwner(nearest);
    const text = whose === null ? `${name} cannot be used (${why}). Correct its owner or mode.` : `${whose}.`;
    return { code: "unusable", text };
  }
}

/** Bytes that are free for this user on the disk of a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
