import { statSync } from "node:fs";
import { isAbsolute } from "node:path";

/** Whether a path is absolute and names a folder that this process can see. */
export function isFolder(path: string): boolean {
  if (!isAbsolute(path) || path.includes("\0")) return false;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
