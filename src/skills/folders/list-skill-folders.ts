import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { folderLimits } from "../../signal/folder-limits.ts";

/** The skills in a place, sorted by name: its folders with a `SKILL.md`. `problem` says in words that there are folders beyond those that are read; null where all were. */
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
    read.map(async (name) =>
      (await lstat(join(root, name, "SKILL.md")).catch(() => null)) === null ? [] : [name],
    ),
  );
  return { names: found.flat(), problem: unread.length === 0 ? null : unreadWords(unread) };
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
