import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { folderLimits } from "../../signal/folder-limits.ts";
import { skillMd } from "./find-skill-file.ts";

/**
 * The skills in a place, sorted by name: its folders with a `SKILL.md`, and those that were most likely meant
 * as skills. `problem` says in words that there are folders beyond those that are read; null where all were.
 */
export type ListedFolders = { readonly names: readonly string[]; readonly problem: string | null };

/** Lists the skills in a place: none where there is no such folder. */
export async function listSkillFolders(root: string): Promise<ListedFolders> {
  const entries = await entriesIn(root);
  const names = entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => name)
    .sort();
  const [read, unread] = [names.slice(0, folderLimits.folders), names.slice(folderLimits.folders)];
  const found = await Promise.all(
    read.map(async (name) => ((await isSkillLike(join(root, name))) ? [name] : [])),
  );
  return { names: found.flat(), problem: unread.length === 0 ? null : unreadWords(unread) };
}

/**
 * Whether a folder is a skill, or has its file under another name or one folder deeper: reading it says so.
 */
async function isSkillLike(folder: string): Promise<boolean> {
  if (await isThere(join(folder, skillMd))) return true;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile() && entry.name.toLowerCase() === skillMd.toLowerCase()))
    return true;
  const below = entries.filter((entry) => entry.isDirectory()).slice(0, folderLimits.folders);
  const deeper = await Promise.all(below.map(({ name }) => isThere(join(folder, name, skillMd))));
  return deeper.includes(true);
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

function unreadWords(unread: readonly string[]): string {
  const folders = unread.length === 1 ? "1 folder in it is" : `${unread.length} folders in it are`;
  return `${folders} not read, from ${JSON.stringify(unread[0])} on: the first ${folderLimits.folders} by name are. Move away what you do not use`;
}

async function entriesIn(root: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(root, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return [];
    throw error;
  }
}
