import { accessSync, constants } from "node:fs";

/** Whether this user may read a file or list a folder. */
export function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
