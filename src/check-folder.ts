import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** What keeps a folder from being written, or made where it is not there yet, in words that say what to do; null for nothing. */
export function findHindrance(folder: string): string | null {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const beside = nearest === folder ? "" : ` (for ${folder})`;
  if (!statSync(nearest).isDirectory()) return `${nearest}${beside} is no folder. Move it aside.`;
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${nearest}${beside} cannot be written (${why}). Correct its owner or mode.`;
  }
}
