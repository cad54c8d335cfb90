import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** With less than this, not even a turn is sure to be kept. Bytes. */
const leastFree = 1024 * 1024;

/** What keeps a folder from being written, or made where it is not there yet, in words that say what to do; null for nothing. */
export function findFolderProblem(
  folder: string,
  freeBytes: (folder: string) => number = freeBytesOf,
): string | null {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const beside = nearest === folder ? "" : ` (for ${folder})`;
  if (!statSync(nearest).isDirectory()) return `${nearest}${beside} is no folder. Move it aside.`;
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    if (freeBytes(nearest) > leastFree) return null;
    return `${nearest}${beside} is on a disk with no room left. Free some.`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${nearest}${beside} cannot be written (${why}). Correct its owner or mode.`;
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
