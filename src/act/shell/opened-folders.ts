import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import type { DeclaredChange } from "../../signal/kept-guard.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import type { LaterPath } from "./later-paths.ts";

/** What is executed later, with the entries of some folders in the place of the folders themselves. */
export type OpenedFolders = {
  readonly named: ReadonlyMap<string, LaterPath>;
  readonly opened: readonly string[];
};

/**
 * Opens each folder that counts as a whole and of which only a part may be changed, such as one hook in `.git/hooks`: its entries count one by one. Folders that
 * `mayOpen` refuses stay whole.
 */
export async function openFolders(
  named: ReadonlyMap<string, LaterPath>,
  allowed: readonly DeclaredChange[],
  mayOpen: (folder: string, entries: number) => boolean,
): Promise<OpenedFolders> {
  const found = new Map(named);
  const opened: string[] = [];
  // Entries that are added on the way are visited as well.
  for (const [folder, later] of found) {
    if (later.isRepository || !holdsChange(folder, allowed)) continue;
    const names = await namesIn(folder);
    if (names === null || !mayOpen(folder, names.length)) continue;
    found.delete(folder);
    opened.push(folder);
    for (const name of names) found.set(join(folder, name), later);
  }
  return { named: found, opened };
}

/** Whether a change of something in a folder, and not of the folder itself, is allowed. */
export function holdsChange(folder: string, allowed: readonly DeclaredChange[]): boolean {
  return allowed.some(
    (change) => change.kind === "path" && change.path !== folder && isInside(folder, change.path),
  );
}

/** The names in a folder; null for what is no folder, or cannot be read. */
async function namesIn(folder: string): Promise<readonly string[] | null> {
  try {
    if (!(await lstat(bytesOfPath(folder))).isDirectory()) return null;
    return (await readdir(bytesOfPath(folder), { encoding: "buffer" })).map(textOfName);
  } catch (fault) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(fault) ?? "")) return null;
    throw fault;
  }
}
