import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { buildRule, executedLaterRule } from "../../text/later/executed-later.ts";
import { obeyedForContents } from "../../text/later/later-change.ts";
import { shadowedModule } from "../../text/later/python-modules.ts";
import { pushAll } from "../../text/lists.ts";
import { namedByRepository, namesOfRepositoriesIn } from "./git-names.ts";
import { resolveTypedPath } from "./typed-path.ts";

/** How many entries of the folders of agents, editors and programs are looked at. */
const maxEntries = 3_000;

/**
 * What a folder holds: how much, and the paths of links, files, and folders of agents, editors and
 * programs.
 */
type Scanned = {
  readonly size: number;
  readonly links: readonly string[];
  readonly files: readonly string[];
  readonly folders: readonly string[];
};

/** What executes or obeys files by other names than their own. Each folder and link is looked at once. */
export class OtherNames {
  readonly #scanned = new Map<string, Promise<Scanned>>();
  readonly #leads = new Map<string, Promise<string | null>>();
  readonly #named = new Map<string, Promise<readonly string[]>>();

  /**
   * Says what executes or obeys a file by another name: the settings of a repository that name it, or a link
   * of such a name that leads to it or to a folder above it; with `byInode` also another name of the same
   * file. Looks in the folders above it, and in what they hold of hidden folders and those of agents, editors
   * and programs; null if nothing is found there.
   */
  async laterBy(real: string, { byInode }: { readonly byInode: boolean }): Promise<string | null> {
    if (executedLaterRule(real) !== null) return null;
    const named =
      (await namedByRepository(real)) ??
      (await this.#namedBeside(real)) ??
      (await shadowedBesideScript(real));
    if (named !== null) return named;
    const status = byInode ? await lstat(real).catch(() => null) : null;
    const inode = status !== null && status.nlink > 1 ? status.ino : null;
    const above = foldersAbove(real);
    const folders = [...above];
    let left = maxEntries;
    for (const [index, folder] of folders.entries()) {
      const isAbove = index < above.length;
      const { size, links, files, folders: below } = await this.#scan(folder, isAbove);
      if (!isAbove) left -= size;
      if (left > 0)
        pushAll(
          folders,
          below.filter((one) => !above.includes(one)),
        );
      for (const path of links) {
        const why = (await this.#leadsTo(path, real)) ? await obeyedName(path, real) : null;
        if (why !== null) return `it is ${path}: ${why}`;
      }
      for (const path of inode === null ? [] : files) {
        const isSame = (await lstat(path).catch(() => null))?.ino === inode;
        const why = isSame ? await obeyedName(path, real) : null;
        if (why !== null) return `it is ${path}: ${why}`;
      }
    }
    return null;
  }

  /** Says that the settings of a repository beside a file, or beside a folder above it, name it. */
  async #namedBeside(real: string): Promise<string | null> {
    for (const folder of foldersAbove(real)) {
      const names = this.#named.get(folder) ?? namesOfRepositoriesIn(folder);
      this.#named.set(folder, names);
      const named = (await names).find((path) => isInside(path, real));
      if (named !== undefined)
        return `the settings of a repository in ${folder} name ${named}, and git obeys or runs it`;
    }
    return null;
  }

  #scan(folder: string, isAbove: boolean): Promise<Scanned> {
    const key = `${isAbove} ${folder}`;
    const known = this.#scanned.get(key) ?? this.#read(folder, isAbove);
    this.#scanned.set(key, known);
    return known;
  }

  async #read(folder: string, isAbove: boolean): Promise<Scanned> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): readonly Dirent[] => []);
    const pathsOf = (isKind: (entry: Dirent) => boolean): readonly string[] =>
      entries.filter(isKind).map(({ name }) => join(folder, name));
    return {
      size: entries.length,
      links: pathsOf((entry) => entry.isSymbolicLink()).filter(isObeyedByGit),
      files: pathsOf((entry) => entry.isFile()).filter(isObeyedByGit),
      folders: pathsOf((entry) => entry.isDirectory()).filter((path) => isSearched(path, isAbove)),
    };
  }

  /** Whether a link leads to a file. One to a folder around itself says nothing of what is in that folder. */
  async #leadsTo(path: string, real: string): Promise<boolean> {
    const known = this.#leads.get(path) ?? leadOf(path);
    this.#leads.set(path, known);
    const leads = await known;
    return leads !== null && isInside(leads, real);
  }
}

/** Where a link leads; null where that is a folder around it, or not known. */
async function leadOf(path: string): Promise<string | null> {
  const led = await resolveTypedPath(path, { workspace: null, home: "/" });
  return led.ok && led.value !== "/" && !isInside(led.value, path) ? led.value : null;
}

/**
 * Says that a file takes the place of a module of Python's for the scripts beside it. The files of a package
 * are no scripts: Python looks for modules in the folder around it.
 */
async function shadowedBesideScript(real: string): Promise<string | null> {
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

/**
 * What another name of a file is obeyed for: itself, by what it holds, or by the settings of a repository.
 */
export async function obeyedName(path: string, real: string): Promise<string | null> {
  const rule = executedLaterRule(path);
  if (rule !== null) return rule;
  return obeyedForContents(path, real) ? "its contents are obeyed" : namedByRepository(path);
}

function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = dirname(path); !above.includes(at); at = dirname(at)) above.push(at);
  return above;
}

/**
 * Folders of packages hold too much, and what their links lead to is an ordinary source. So do repositories,
 * beside what git obeys in them.
 */
function isSearched(path: string, isAbove: boolean): boolean {
  const name = basename(path);
  if (name === ".git") return isAbove;
  if (!isObeyedByGit(path)) return false;
  const why = executedLaterRule(path);
  return why !== buildRule && (why !== null || (isAbove && name.startsWith(".")));
}

/** False for what a repository's own folder holds beside its settings, hooks and attributes. */
function isObeyedByGit(path: string): boolean {
  return (
    basename(dirname(path)) !== ".git" || /^(?:config|config\.worktree|hooks|info)$/.test(basename(path))
  );
}
