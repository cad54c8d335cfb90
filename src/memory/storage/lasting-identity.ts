import { lstat } from "node:fs/promises";

/**
 * What a folder is, wherever it is moved in its file system, and whatever device that is after a restart;
 * null where there is none, or its file system does not say.
 */
export async function lastingIdentity(path: string): Promise<string | null> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isDirectory() || found.birthtimeNs === 0n) return null;
    return `${found.ino} ${found.birthtimeNs}`;
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return null;
    throw fault;
  }
}
