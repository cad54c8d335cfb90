import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";

/**
 * The files of a folder and below, sorted, its folders, itself first, and whatever else is there: links,
 * sockets, pipes, and folders that this user may not read.
 */
export type WalkedFiles = {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly others: readonly { readonly path: string; readonly what: string }[];
};

type WalkOptions = {
  /** Folders and files for which it holds are left out. Default: none. */
  readonly skip?: (path: string) => boolean;
  /** Whether links inside are followed, as those to a repository of dotfiles. Default: they are others. */
  readonly links?: boolean;
};

/**
 * Walks a folder, which has to be readable itself, or takes a file as it is; either may be a link. A link
 * inside is never followed to a folder that holds it.
 */
export function walkFiles(
  place: string,
  { skip = () => false, links = false }: WalkOptions = {},
): WalkedFiles {
  const walked: Walked = { files: [], folders: [], others: [] };
  const visit = (path: string, found: Kind): void => {
    if (skip(path)) return;
    const entry = links && found.isSymbolicLink() ? linked(path) : found;
    if (typeof entry === "string") walked.others.push({ path, what: entry });
    else if (entry.isFile()) walked.files.push(path);
    else if (!entry.isDirectory())
      walked.others.push({ path, what: entry.isSymbolicLink() ? "a link" : "no file" });
    else {
      const entries = path === place ? entriesOf(path) : readableEntries(path);
      if (typeof entries === "string") return void walked.others.push({ path, what: entries });
      walked.folders.push(path);
      for (const below of entries) visit(join(path, below.name), below);
    }
  };
  visit(place, statSync(place));
  return walked;
}

type Walked = {
  readonly files: string[];
  readonly folders: string[];
  readonly others: { readonly path: string; readonly what: string }[];
};

type Kind = { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean };

/** What is said of a link whose target is not there. */
export const leadsNowhere = "a link that leads nowhere";

/** What a link leads to; in words where it is not followed. */
function linked(path: string): Kind | string {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target === undefined) return leadsNowhere;
  const isAround = target.isDirectory() && isInside(realpathSync(path), realpathSync(dirname(path)));
  return isAround ? "a link to a folder that holds it" : target;
}

/** Why an entry that was listed is not there. */
export function whyGone(path: string): string {
  return path.includes("\uFFFD")
    ? "it has a name that is not UTF-8; give it another one"
    : "it was removed meanwhile";
}

/** In words where this user may not read the folder, as `lost+found` of a disk, or cannot name it. */
function readableEntries(folder: string) {
  try {
    return entriesOf(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EACCES" || code === "EPERM") return "a folder that cannot be read";
    if (code === "ENOENT" && lstatSync(folder, { throwIfNoEntry: false }) === undefined)
      return folder.includes("\uFFFD")
        ? "a folder with a name that is not UTF-8; give it another one"
        : "a folder that was removed meanwhile";
    throw error;
  }
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
}
