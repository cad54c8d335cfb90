import { lstat as lookAt, type Stats } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";

/** What a path leads to; null where it leads to nothing that this user may reach. Throws where nobody can look: whether something is there is then not known. */
export function statusIfThere(path: string): Promise<Stats | null> {
  return stat(bytesOfPath(path)).catch(nullIfMissing);
}

/** The same of the path itself, also of a link. */
export function entryIfThere(path: string): Promise<Stats | null> {
  return lstat(bytesOfPath(path)).catch(nullIfMissing);
}

/** Whether a folder is at a path; a link to one is none. */
export async function isFolderThere(path: string): Promise<boolean> {
  return (await entryIfThere(path))?.isDirectory() === true;
}

/**
 * What the paths themselves are, in their order. Without a promise for each, thousands of them take half the
 * time.
 */
export function entriesIfThere(paths: readonly string[]): Promise<readonly (Stats | null)[]> {
  const found: (Stats | null)[] = paths.map(() => null);
  const faults: unknown[] = [];
  let left = paths.length;
  return new Promise((resolve, reject) => {
    if (left === 0) resolve(found);
    for (const [index, path] of paths.entries()) {
      lookAt(bytesOfPath(path), (fault, entry) => {
        if (fault === null) found[index] = entry;
        else if (!isMissing(fault)) faults.push(fault);
        left -= 1;
        if (left > 0) return;
        if (faults.length > 0) reject(faults[0]);
        else resolve(found);
      });
    }
  });
}

/** Null for a fault that says that nothing is there, or that this user may not reach it; throws any other. */
function nullIfMissing(fault: unknown): null {
  if (isMissing(fault)) return null;
  throw fault;
}

function isMissing(fault: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG|EACCES|EPERM)$/.test(errorCode(fault));
}
