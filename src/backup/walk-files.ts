import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The files of a folder and below, sorted, and whatever else is there that is neither file nor folder: links, sockets, pipes. */
export type WalkedFiles = {
  readonly files: readonly string[];
  readonly others: readonly { readonly path: string; readonly what: string }[];
};

/** Walks a folder, or takes a file as it is. Folders for which `skip` holds are not entered. */
export function walkFiles(place: string, skip: (path: string) => boolean = () => false): WalkedFiles {
  const files: string[] = [];
  const others: { path: string; what: string }[] = [];
  const visit = (path: string, entry: Kind): void => {
    if (skip(path)) return;
    if (entry.isFile()) files.push(path);
    else if (!entry.isDirectory()) others.push({ path, what: entry.isSymbolicLink() ? "a link" : "no file" });
    else for (const below of entriesOf(path)) visit(join(path, below.name), below);
  };
  visit(place, lstatSync(place));
  return { files, others };
}

type Kind = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
}
