import type { Stats } from "node:fs";
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

/** Null for a fault that says that nothing is there, or that this user may not reach it; throws any other. */
function nullIfMissing(fault: unknown): null {
  if (/^(?:ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG|EACCES|EPERM)$/.test(errorCode(fault))) return null;
  throw fault;
}
