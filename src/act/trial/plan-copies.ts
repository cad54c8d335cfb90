import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInside } from "../../text/is-inside.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";

/** Folders of a workspace to copy into an overlay with all below, so that a command can rename them. */
export type CopyPlan = {
  /** Their paths, none inside of another one. */
  readonly folders: readonly string[];
  /** Whether they are all folders that are there. */
  readonly areAll: boolean;
};

/** What is copied at most, in entries and bytes. */
const copyBounds = { entries: 50_000, bytes: 1_000_000_000 };

/** In a folder with more entries nothing is copied. */
const mostSeen = 300_000;
/** More folders are not copied by themselves. */
const mostFolders = 1_000;

type Wanted = {
  /** What a command does not see as it is: nothing above it is copied, since it would be moved with that. */
  readonly covered: ReadonlySet<string>;
  /** Folders that stay where they are. */
  readonly pinned: ReadonlySet<string>;
  /** The folders to copy, as far as they are there; null for all. */
  readonly named: ReadonlySet<string> | null;
};

type Folder = {
  readonly path: string;
  readonly below: Folder[];
  entries: number;
  bytes: number;
  /** Whether a copy can be all that it is. */
  canMove: boolean;
  /** Whether what is in it can be copied by itself. */
  canOpen: boolean;
};

/**
 * Chooses the folders to copy: the outermost, and of two the smaller one first. A folder is left out where a
 * copy would not be all that it is: it holds what is covered, what belongs to somebody else, what its owner
 * may not read, or a device; or where it is too much. What is in such a folder may be copied by itself.
 */
export async function planCopies(
  workspace: string,
  { named, ...staying }: Wanted,
  bounds = copyBounds,
): Promise<CopyPlan> {
  const folders = await foldersBelow(workspace, staying);
  const [root] = folders;
  if (root === undefined) return { folders: [], areAll: false };
  const chosen: string[] = [];
  let areAll = named === null;
  let { entries, bytes } = bounds;
  const choose = (folder: Folder): void => {
    const fits = folder.entries <= entries && folder.bytes <= bytes && chosen.length < mostFolders;
    if (folder !== root && folder.canMove && fits) {
      chosen.push(folder.path);
      entries -= folder.entries;
      bytes -= folder.bytes;
      return;
    }
    areAll &&= folder === root;
    if (folder.canOpen) for (const each of bySize(folder.below)) choose(each);
  };
  const isAsked = ({ path }: Folder): boolean => named?.has(path) === true;
  const isOutermost = ({ path }: Folder): boolean => !chosen.some((each) => isInside(each, path));
  for (const each of named === null ? [root] : folders.filter(isAsked)) if (isOutermost(each)) choose(each);
  return { folders: chosen, areAll };
}

function bySize(folders: readonly Folder[]): readonly Folder[] {
  return folders.toSorted((one, other) => one.entries - other.entries);
}

/**
 * The folders at and below a folder, outermost first, each with what is below it; none where they are too
 * many.
 */
async function foldersBelow(
  root: string,
  { covered, pinned }: Omit<Wanted, "named">,
): Promise<readonly Folder[]> {
  const around = new Map<Folder, Folder>();
  const folders = [emptyFolder(root)];
  let seen = 0;
  for (const folder of folders) {
    await setImmediate();
    const entries = folder.canOpen ? entriesIn(folder.path) : null;
    if (entries === null) {
      folder.canMove = false;
      continue;
    }
    seen += entries.length;
    if (seen > mostSeen) return [];
    for (const entry of entries) {
      const path = join(folder.path, textOfName(entry.name));
      const status = lstatSync(bytesOfPath(path), { throwIfNoEntry: false });
      const canCopy = status !== undefined && !covered.has(path) && isCopiedWhole(status);
      folder.entries += 1;
      folder.canMove &&= canCopy && !pinned.has(path);
      if (status?.isFile() === true) folder.bytes += status.size;
      if (status?.isDirectory() !== true) continue;
      const inside = { ...emptyFolder(path), canMove: canCopy && !pinned.has(path), canOpen: canCopy };
      folder.below.push(inside);
      around.set(inside, folder);
      folders.push(inside);
    }
  }
  for (const folder of folders.toReversed()) {
    const parent = around.get(folder);
    if (parent === undefined) continue;
    parent.entries += folder.entries;
    parent.bytes += folder.bytes;
    parent.canMove &&= folder.canMove;
  }
  return folders;
}

function emptyFolder(path: string): Folder {
  return { path, below: [], entries: 0, bytes: 0, canMove: true, canOpen: true };
}

function entriesIn(path: string): readonly Dirent<Buffer>[] | null {
  try {
    return readdirSync(bytesOfPath(path), { withFileTypes: true, encoding: "buffer" });
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return null;
  }
}

/** Whether a copy of an entry by this user is all that it is, and can be read and left again. */
function isCopiedWhole(status: Stats): boolean {
  const isRoot = process.geteuid?.() === 0;
  const isOwn = status.uid === process.geteuid?.() && status.gid === process.getegid?.();
  if (!isOwn && !isRoot) return false;
  if (status.isSymbolicLink()) return true;
  const needed = status.isDirectory() ? 0o500 : 0o400;
  return (status.isFile() || status.isDirectory()) && (status.mode & needed) === needed;
}

/** The paths of a workspace that words may name, seen from it and from the folder that they were said in. */
export function namedPaths(words: string, workspace: string, cwd: string): ReadonlySet<string> {
  const names = [...new Set(words.split(/[\s'"`:;,()<>=→]+/))].slice(0, mostNames);
  const paths = names.flatMap((name) => [resolve(cwd, name), resolve(workspace, name)]);
  return new Set(paths.filter((path) => path !== workspace && isInside(workspace, path)));
}

const mostNames = 20_000;
