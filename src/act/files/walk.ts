import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { catchFileErrors, done } from "./fallible.ts";
import { addIgnoreRules, type IgnoreRules, isIgnored } from "./ignore-rules.ts";
import { isKernelFile } from "./kernel-files.ts";
import { type FolderHandle, openFolder } from "./open-file.ts";

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
  /** How many levels of folders to list; all of them if it is left out. */
  readonly depth?: number | undefined;
  /** The rules of `.gitignore` that hold in the root, to which each folder adds its own. If it is left out, no `.gitignore` counts. */
  readonly ignore?: IgnoreRules | null | undefined;
  /** Also enters folders that a walk usually leaves out, such as `node_modules`. */
  readonly entersAll?: boolean | undefined;
};

const neverEntered = new Set([".git"]);
const rarelyEntered = new Set(["node_modules"]);

type Level = { readonly path: string; readonly depth: number; readonly rules: IgnoreRules | null };

/** The entries below a folder, breadth first and by name. Closed paths are neither entered nor named, links are never followed, and omissions are counted. */
export async function* walkTree(tree: WalkRequest): AsyncGenerator<TreeEntry> {
  const { ignore = null, omissions } = tree;
  const folders: Level[] = [{ path: tree.root, depth: 1, rules: ignore }];
  let seen = 0;
  for (const { path: here, depth, rules: above } of folders) {
    const opened = await catchFileErrors(here, () => openFolder(here));
    if (!opened.ok) {
      countOmission(omissions, couldNotOpen(opened.code));
      continue;
    }
    await using folder = opened.value;
    const { names, more } = await listing(folder, tree.maxEntries - seen);
    if (more) countOmission(omissions, beyondLimit(tree.maxEntries));
    seen += names.length;
    const hasRules = tree.ignore !== undefined && names.some(({ name }) => name === ".gitignore");
    const rules = hasRules ? await addIgnoreRules(here, above, folder.inside(".gitignore")) : above;
    for (const found of names) {
      const entry = await entryOf(found, folder);
      if (tree.isClosed(entry.path) || (entry.kind === "folder" && (await isKernelFile(entry.path)))) {
        countOmission(omissions, "closed paths (secrets or the agent's own)");
      } else if (isIgnored(rules, entry.path, entry.kind === "folder")) {
        countOmission(omissions, leftOutByGit);
      } else {
        yield entry;
        if (entry.kind !== "folder") continue;
        const unread = unreadBecause(found.name, depth, tree);
        if (unread === null) folders.push({ path: entry.path, depth: depth + 1, rules });
        else countOmission(omissions, unread);
      }
    }
    if (more) return;
  }
}

const leftOutByGit = "paths that .gitignore leaves out (`ignored: true` includes them)";

/** Why a walk does not enter a folder; null where it does. */
function unreadBecause(name: string, at: number, { depth, entersAll }: WalkRequest): string | null {
  if (neverEntered.has(name) || (entersAll !== true && rarelyEntered.has(name))) return `contents of ${name}`;
  return depth === undefined || at < depth
    ? null
    : `folders below ${depth} ${depth === 1 ? "level" : "levels"} (a larger \`depth\` lists them)`;
}

/** The reason for which a walk leaves out folders that it could not open. */
export function couldNotOpen(code: string): string {
  return `folders that could not be opened (${code})`;
}

/** The reason for which a walk leaves out what lies beyond its limit. */
export function beyondLimit(maxEntries: number): string {
  return `everything after the first ${maxEntries.toLocaleString("en")} entries`;
}

/** Counts one omission for a reason. */
export function countOmission(omissions: Omissions, reason: string): void {
  omissions.set(reason, (omissions.get(reason) ?? 0) + 1);
}

/** The omissions in words, one line per reason, in the order of the reasons. */
export function describeOmissions(omissions: Omissions): readonly string[] {
  return [...omissions]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([reason, times]) => `${times} × ${reason}`);
}

async function listing(
  folder: FolderHandle,
  room: number,
): Promise<{ readonly names: readonly Dirent[]; readonly more: boolean }> {
  const names: Dirent[] = [];
  for await (const found of await opendir(folder.inside("."), { bufferSize: 512 })) {
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
