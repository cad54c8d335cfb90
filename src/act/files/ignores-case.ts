import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath, textOfName } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";
import { entryIfThere } from "./status-if-there.ts";

/**
 * One of the paths that leads to the same entry with its last name in other letters, as on a disk that
 * ignores case: what hides one of its spellings hides none of the others. One path of each folder is looked
 * up.
 */
async function findIgnoringCase(paths: readonly string[]): Promise<string | undefined> {
  const byFolder = new Map(paths.filter(hasLetters).map((path) => [dirname(path), path]));
  for (const path of byFolder.values()) if (await ignoresCase(path)) return path;
  return undefined;
}

/** Why one of the paths cannot be kept from commands: another spelling opens it; null where none does. */
export async function refuseSpellings(paths: readonly string[]): Promise<string | null> {
  const path = await findIgnoringCase(paths);
  return path === undefined
    ? null
    : `${path} must be kept from commands, and its disk ignores the case of letters: a program could open it by another spelling. Move it out of the folder, or start the session in a folder on another disk.`;
}

/**
 * Whether the names in a folder may be spelled in any case; not known of one without names, and of one whose
 * names this user may not read.
 */
export async function ignoresCaseInside(folder: string): Promise<boolean> {
  const names = await readdir(bytesOfPath(folder), { encoding: "buffer" }).catch((fault: unknown) => {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(fault))) return [];
    throw fault;
  });
  const paths = names.map((name) => join(folder, textOfName(name)));
  return (await findIgnoringCase(paths)) !== undefined;
}

async function ignoresCase(path: string): Promise<boolean> {
  const other = basename(path).replaceAll(/[\p{Lu}\p{Ll}]/gu, swapCase);
  const [entry, same] = [await entryIfThere(path), await entryIfThere(join(dirname(path), other))];
  if (entry === null || same === null || entry.ino !== same.ino || entry.dev !== same.dev) return false;
  // Else the folder has two names of one file.
  return !(await readdir(bytesOfPath(dirname(path)))).includes(other);
}

function hasLetters(path: string): boolean {
  return /[\p{Lu}\p{Ll}]/u.test(basename(path));
}

function swapCase(letter: string): string {
  const lower = letter.toLowerCase();
  return letter === lower ? letter.toUpperCase() : lower;
}
