import { lstat, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { errorCode } from "./fallible.ts";

/** Milliseconds by which the clock of a file system may be behind. */
const behind = 20;

/**
 * Removes the folders between a workspace and a file that is gone, from below, as far as nothing is in them
 * and they were made at or after `since` (Unix milliseconds). A file system that does not know when a folder
 * was made keeps it.
 */
export async function removeMadeFolders(
  path: string,
  { workspace, since }: { readonly workspace: string; readonly since: number },
): Promise<void> {
  try {
    for (
      let folder = dirname(path);
      folder !== workspace && isInside(workspace, folder);
      folder = dirname(folder)
    ) {
      const found = await lstat(folder);
      if (!found.isDirectory() || found.birthtimeMs < since - behind) return;
      await rmdir(folder);
    }
  } catch (error) {
    // What is not empty, or may not be removed, stays.
    if (errorCode(error) === "") throw error;
  }
}
