import { constants, lstat as lookAt, type Stats } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";

/** What a path leads to; null where it leads to nothing that this user may reach. Throws where nobody can look: whether something is there is then not known. */
export function statusIfThere(path: string): Promise<Stats | null> {
  return stat(bytesOfPath(path)).catch(nullIfMissing);
}

/** The same; throws also where this user may not look: something may be there. */
export function statusUnlessClosed(path: string): Promise<Stats | null> {
  return stat(bytesOfPath(path)).catch((fault: unknown) => {
    if (isClosed(fault)) throw fault;
    return nullIfMissing(fault);
  });
}

/**
 * Whether this user may not read the file at a path, and could not do so since a time (Unix, ms): neither it
 * nor its rights changed after that.
 */
export async function isClosedSince(path: string, time: number): Promise<boolean> {
  const fault: unknown = await access(bytesOfPath(path), constants.R_OK).catch((why: unknown) => why);
  if (!isClosed(fault)) return false;
  const status = await statusIfThere(path);
  return status !== null && status.ctimeMs < time;
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
 * What the paths themselves are, in their order; `unknown` where a disk or a mount fails, as one that lost
 * its server does. Without a promise for each, thousands of them take half the time.
 */
export function entriesIfThere(paths: readonly string[]): Promise<readonly (Stats | null | "unknown")[]> {
  const found: (Stats | null | "unknown")[] = paths.map(() => null);
  let left = paths.length;
  return new Promise((resolve) => {
    if (left === 0) resolve(found);
    for (const [index, path] of paths.entries()) {
      lookAt(bytesOfPath(path), (fault, entry) => {
        if (fault === null) found[index] = entry;
        else if (!isMissing(fault)) found[index] = "unknown";
        left -= 1;
        if (left === 0) resolve(found);
      });
    }
  });
}

/** Null for a fault that says that nothing is there, or that this user may not reach it; throws any other. */
function nullIfMissing(fault: unknown): null {
  if (isMissing(fault)) return null;
  throw fault;
}

function isClosed(fault: unknown): boolean {
  return /^(?:EACCES|EPERM)$/.test(errorCode(fault));
}

function isMissing(fault: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG|EACCES|EPERM)$/.test(errorCode(fault));
}
