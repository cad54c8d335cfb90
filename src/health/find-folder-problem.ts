import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Free bytes that storing a turn may need. */
const leastFree = 1024 * 1024;

/** Describes what prevents writing to a folder, or creating it if it does not exist, and what to do; null if nothing does. */
export function findFolderProblem(
  folder: string,
  freeBytes: (folder: string) => number = freeBytesOf,
): string | null {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const beside = nearest === folder ? "" : ` (for ${folder})`;
  if (!statSync(nearest).isDirectory()) return `${nearest}${beside} is not a folder. Rename or move it.`;
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    if (freeBytes(nearest) > leastFree) return null;
    return `${nearest}${beside} is on a full disk. Free some space.`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${nearest}${beside} cannot be written (${why}). Correct its owner or mode.`;
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
