import { lstatSync } from "node:fs";

/** What a folder is, wherever it is moved in its file system, and whatever device that is after a restart; null where there is none, or its file system does not say. */
export function lastingIdentity(path: string): string | null {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found?.isDirectory() !== true || found.birthtimeNs === 0n) return null;
    return `${found.ino} ${found.birthtimeNs}`;
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return null;
    throw fault;
  }
}
