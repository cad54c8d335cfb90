import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The files of a folder and below, sorted, and whatever else is there: links, sockets, pipes, and folders
 * that this user may not read.
 */
export type WalkedFiles = {
  readonly files: readonly string[];
  readonly others: readonly { readonly path: string; readonly what: string }[];
};

/**
 * Walks a folder, which has to be readable itself, or takes a file as it is. Folders for which `skip` holds
 * are not entered.
 */
export function walkFiles(place: string, skip: (path: string) => boolean = () => false): WalkedFiles {
  const files: string[] = [];
  const others: { path: string; what: string }[] = [];
  const visit = (path: string, entry: Kind): void => {
    if (skip(path)) return;
    if (entry.isFile()) files.push(path);
    else if (!entry.isDirectory()) others.push({ path, what: entry.isSymbolicLink() ? "a link" : "no file" });
    else {
      const entries = path === place ? entriesOf(path) : readableEntries(path);
      if (entries === null) others.push({ path, what: "a folder that cannot be read" });
      for (const below of entries ?? []) visit(join(path, below.name), below);
    }
  };
  visit(place, lstatSync(place));
  return { files, others };
}

type Kind = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

/** Null where this user may not read the folder, as `lost+found` of a disk. */
function readableEntries(folder: string) {
  try {
    return entriesOf(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM"))
      return null;
    throw error;
  }
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
}
