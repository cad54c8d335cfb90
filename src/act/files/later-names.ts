import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildRule, executedLaterRule } from "../../signal/executed-later/executed-later.ts";
import { obeyedForContents } from "../../signal/executed-later/later-change.ts";
import { shadowedModule } from "../../signal/executed-later/python-modules.ts";
import { isInside } from "../../signal/is-inside.ts";
import { namedByRepository } from "./git-names.ts";
import { resolveTypedPath } from "./typed-path.ts";

/** How many entries of the folders of agents, editors and programs are looked at. */
const maxEntries = 3_000;

/**
 * Says what executes or obeys a file by another name: the settings of a repository that name it, a link of
 * such a name that leads to it or to a folder above it, or another name of the same file. Looks in the
 * folders above it, and in what they hold of hidden folders and those of agents, editors and programs; null
 * if nothing is found there.
 */
export async function laterByOtherName(real: string): Promise<string | null> {
  if (executedLaterRule(real) !== null) return null;
  const named = await namedByRepository(real);
  if (named !== null) return named;
  const shadowed = await shadowedBesideScript(real);
  if (shadowed !== null) return shadowed;
  const status = await lstat(real).catch(() => null);
  const inode = status !== null && status.nlink > 1 ? status.ino : null;
  const above = foldersAbove(real);
  const folders = [...above];
  let left = maxEntries;
  for (const [index, folder] of folders.entries()) {
    const isAbove = index < above.length;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (!isAbove) left -= entries.length;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isOther = entry.isSymbolicLink() || (entry.isFile() && inode !== null);
      const why =
        entry.isDirectory() || isOther
          ? (executedLaterRule(path) ?? (isOther ? await obeyedName(path, real) : null))
          : null;
      if (entry.isDirectory() && left > 0 && !above.includes(path) && isSearched(entry.name, why, isAbove))
        folders.push(path);
      if (why !== null && (await isSameFile(entry, path, { real, inode }))) return `it is ${path}: ${why}`;
    }
  }
  return null;
}

/**
 * Says that a file takes the place of a module of Python's for the scripts beside it. The files of a package
 * are no scripts: Python looks for modules in the folder around it.
 */
export async function shadowedBesideScript(real: string): Promise<string | null> {
  const folder = dirname(real);
  for (const around of [folder, dirname(folder)]) {
    const shadowed = shadowedModule(real, around);
    if (shadowed === null) continue;
    const names = await readdir(around).catch((): readonly string[] => []);
    const isBeside = names.some((name) => name.endsWith(".py") && join(around, name) !== real);
    if (isBeside && !names.includes("__init__.py")) return `${shadowed}, for the scripts in ${around}`;
  }
  return null;
}

/** What another name of a file is obeyed for, by what it holds or by the settings of a repository. */
async function obeyedName(path: string, real: string): Promise<string | null> {
  return obeyedForContents(path, real) ? "its contents are obeyed" : namedByRepository(path);
}

function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = dirname(path); !above.includes(at); at = dirname(at)) above.push(at);
  return above;
}

/** Folders of packages and repositories hold too much, and what their links lead to is an ordinary source. */
function isSearched(name: string, why: string | null, isAbove: boolean): boolean {
  if (name === ".git" || why === buildRule) return false;
  return why !== null || (isAbove && name.startsWith("."));
}

/** Whether an entry leads to a file, or is another name of it. A link that leads to a folder around itself says nothing of what is in that folder. */
async function isSameFile(
  entry: Dirent,
  path: string,
  { real, inode }: { readonly real: string; readonly inode: number | null },
): Promise<boolean> {
  if (!entry.isSymbolicLink())
    return entry.isFile() && inode !== null && (await lstat(path).catch(() => null))?.ino === inode;
  const led = await resolveTypedPath(path, { workspace: null, home: "/" });
  if (!led.ok || led.value === "/" || isInside(led.value, path)) return false;
  return isInside(led.value, real);
}
