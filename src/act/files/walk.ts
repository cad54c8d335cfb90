import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { catchFileErrors, done } from "./fallible.ts";
import { type FolderHandle, isSystemPath, openFolder } from "./open-file.ts";

/** One entry of a tree. `via` opens it in the listed folder itself, until the walk goes on. */
export type TreeEntry = {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "special";
  readonly via: string;
};

/** The number of entries that a walk left out, by reason. Filled during the walk. */
export type Omissions = Map<string, number>;

/** The folder to walk, and the paths that are never entered. */
export type WalkRequest = {
  readonly root: string;
  readonly isClosed: (path: string) => boolean;
  readonly maxEntries: number;
  readonly omissions: Omissions;
};

const unread = new Set([".git", "node_modules"]);

/** The entries below a folder, breadth first and by name. Closed paths are neither entered nor named, links are never followed, and omissions are counted. */
export async function* walkTree(tree: WalkRequest): AsyncGenerator<TreeEntry> {
  const folders = [tree.root];
  let seen = 0;
  for (let path = folders.shift(); path !== undefined; path = folders.shift()) {
    const here = path;
    const opened = await catchFileErrors(here, () => openFolder(here));
    if (!opened.ok) {
      countOmission(tree.omissions, `folders that could not be opened (${opened.code})`);
      continue;
    }
    await using folder = opened.value;
    const { names, more } = await listing(folder, tree.maxEntries - seen);
    if (more) countOmission(tree.omissions, beyondLimit(tree.maxEntries));
    seen += names.length;
    for (const found of names) {
      const entry = await entryOf(found, folder);
      if (tree.isClosed(entry.path) || isSystemPath(entry.path))
        countOmission(tree.omissions, "closed paths (secrets or the agent's own)");
      else {
        yield entry;
        if (entry.kind !== "folder") continue;
        if (unread.has(found.name)) countOmission(tree.omissions, `contents of ${found.name}`);
        else folders.push(entry.path);
      }
    }
    if (more) return;
  }
}

/** The reason for which a walk leaves out what lies beyond its limit. */
export function beyondLimit(maxEntries: number): string {
  return `everything after the first ${maxEntries.toLocaleString("en")} entries`;
}

/** Counts one omission for a reason. */
export function countOmission(omissions: Omissions, reason: string): void {
  omissions.set(reason, (omissions.get(reason) ?? 0) + 1);
}

/** The omissions in words, one line per reason. */
export function describeOmissions(omissions: Omissions): readonly string[] {
  return [...omissions].map(([reason, times]) => `${times} × ${reason}`);
}

async function listing(
  folder: FolderHandle,
  room: number,
): Promise<{ readonly names: readonly Dirent[]; readonly more: boolean }> {
  const names: Dirent[] = [];
  for await (const found of await opendir(folder.inside("."))) {
    if (names.length >= room) return { names: byName(names), more: true };
    names.push(found);
  }
  return { names: byName(names), more: false };
}

function byName(names: Dirent[]): readonly Dirent[] {
  return names.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function entryOf(found: Dirent, folder: FolderHandle): Promise<TreeEntry> {
  const via = folder.inside(found.name);
  const path = `${folder.path === "/" ? "" : folder.path}/${found.name}`;
  const known = found.isFile() || found.isDirectory() || found.isSymbolicLink();
  if (known) return { path, via, kind: kindOf(found) };
  const looked = await catchFileErrors(path, async () => done(kindOf(await lstat(via))));
  return { path, via, kind: looked.ok ? looked.value : "special" };
}

function kindOf(found: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">): TreeEntry["kind"] {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : "special";
}
