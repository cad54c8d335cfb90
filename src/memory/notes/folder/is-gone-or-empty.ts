import { readdirSync } from "node:fs";

/** An index that knows at least this many files, and sees none, takes the folder for lost, not for emptied by its owner. */
export const fewestLost = 5;

/** True if a folder cannot be listed or holds nothing but hidden files, as the place of a disk that is not mounted. */
export function isGoneOrEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).every((name) => name.startsWith("."));
  } catch {
    return true;
  }
}
