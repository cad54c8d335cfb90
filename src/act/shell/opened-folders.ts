import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DeclaredChange } from "../../signal/kept-guard.ts";
import { isInside } from "../../text/is-inside.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import type { LaterPath } from "./later-paths.ts";

/** What is executed later, with the entries of some folders in the place of the folders themselves. */
export type OpenedFolders = {
  readonly named: ReadonlyMap<string, LaterPath>;
  readonly opened: readonly string[];
};

/** An entry of a folder that is opened. */
type FolderEntry = { readonly path: string; readonly isLink: boolean };

/**
 * Opens each folder that counts as a whole and of which only a part may be changed, such as one hook in
 * `.git/hooks`: its entries count one by one. Folders that `mayOpen` refuses stay whole.
 */
export async function openFolders(
  named: ReadonlyMap<string, LaterPath>,
  allowed: readonly DeclaredChange[],
  mayOpen: (folder: string, entries: readonly FolderEntry[]) => boolean,
): Promise<OpenedFolders> {
  const found = new Map(named);
  const opened: string[] = [];
  // Entries that are added on the way are visited as well.
  for (const [folder, later] of found) {
    if (later.isRepository || !holdsChange(folder, allowed)) continue;
    const entries = await entriesIn(folder);
    if (entries === null || !mayOpen(folder, entries)) continue;
    found.delete(folder);
    opened.push(folder);
    for (const { path } of entries) found.set(path, later);
  }
  return { named: found, opened };
}

/** Whether a change of something in a folder, and not of the folder itself, is allowed. */
export function holdsChange(folder: string, allowed: readonly DeclaredChange[]): boolean {
  return allowed.some(
    (change) => change.kind === "path" && change.path !== folder && isInside(folder, change.path),
  );
}

/** What is in a folder; null for what is no folder, or cannot be read. */
async function entriesIn(folder: string): Promise<readonly FolderEntry[] | null> {
  try {
    if (!(await lstat(bytesOfPath(folder))).isDirectory()) return null;
    const entries = await readdir(bytesOfPath(folder), { withFileTypes: true, encoding: "buffer" });
    return entries.map((entry) => ({
      path: join(folder, textOfName(entry.name)),
      isLink: entry.isSymbolicLink(),
    }));
  } catch (fault) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(fault) ?? "")) return null;
    throw fault;
  }
}
