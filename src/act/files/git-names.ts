import type { Stats } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";
import { settingsIn, wordsOfCommand } from "./git-settings.ts";

/** Keys whose value is a place that git reads or runs hooks from. */
const placeKey = /^(?:path|hookspath|attributesfile|templatedir)$/;
/** Sections whose values are commands under any name. */
const commandSections: ReadonlySet<string> = new Set(["alias", "pager"]);
/** Keys whose value is a command, as is any value that begins with an exclamation mark. */
const commandKey =
  /^(?:fsmonitor|pager|editor|sshcommand|gitproxy|askpass|external|textconv|command|clean|smudge|process|driver|program|helper|cmd|difffilter|alternaterefscommand|uploadpack|receivepack|packobjectshook|tocmd|cccmd|headercmd|sendmailcmd|tunnel|defaultkeycommand)$/;
/** Bytes. */
const largestSettings = 1_000_000;

/**
 * Says that the settings of a repository name a file of its work tree, or a folder around it, as what git
 * obeys or runs; null where none does.
 */
export async function namedByRepository(real: string): Promise<string | null> {
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    const named = (await namesInSettings(folder)).find((path) => isInside(path, real));
    if (named !== undefined)
      return `the settings of the repository ${folder} name ${named}, and git obeys or runs it`;
    if (folder === dirname(folder)) return null;
  }
}

/**
 * The paths of a work tree that the settings of its repository name as what git obeys or runs, with those
 * that included settings name. `around`: the folder that they lie in; default: the work tree.
 */
export async function namesInSettings(workTree: string, around = workTree): Promise<readonly string[]> {
  const { own, shared } = await repositoryOf(workTree);
  const found = new Set<string>();
  const homes = [homedir(), ...foldersFrom(workTree)];
  const settings = new Set([
    join(shared, "config"),
    join(shared, "config.worktree"),
    join(own, "config.worktree"),
  ]);
  for (const file of settings)
    for (const { words, isPlace } of namedIn(await textOf(file))) {
      const folders = [workTree, dirname(file)];
      if (!isPlace) pushAll(folders, await foldersAmong(words, workTree));
      for (const path of words.flatMap((word) => placesOf(word, folders, homes))) {
        const status = await entryAt(path);
        if (isPlace && status?.isFile() === true && settings.size < mostSettings) settings.add(path);
        const isOwn = isInside(around, path) && path !== around && !isInside(shared, path);
        // A word of a command may be anything: it counts where it is, or could become, a file.
        if (isOwn && !isInside(path, workTree) && (isPlace || status?.isDirectory() !== true))
          found.add(path);
      }
    }
  return [...found];
}

/**
 * What the settings of repositories directly in a folder, and of its submodules, name in that folder outside
 * of their own work trees.
 */
export async function namesOfRepositoriesIn(folder: string): Promise<readonly string[]> {
  const entries = (await unlessRefused(readdir(bytesOfPath(folder), { withFileTypes: true }))) ?? [];
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const submodules = settingsIn(await textOf(join(folder, ".gitmodules")))
    .filter(({ key }) => key === "path")
    .map(({ value }) => resolve(folder, value.replaceAll("\0", "")));
  const found: string[] = [];
  for (const workTree of await withRepository([...new Set([...below.slice(0, mostBelow), ...submodules])])) {
    const named = await namesInSettings(workTree, folder);
    pushAll(
      found,
      named.filter((path) => !isInside(workTree, path)),
    );
  }
  return found;
}

/** How many folders in one are looked at for a repository, and how many at once. */
const mostBelow = 500;
const atOnce = 50;

/** Those of some folders that have a `.git`. */
async function withRepository(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < folders.length; at += atOnce) {
    const next = folders.slice(at, at + atOnce);
    const marks = await Promise.all(next.map((folder) => entryAt(join(folder, ".git"))));
    pushAll(
      found,
      next.filter((_, index) => marks[index] !== undefined),
    );
  }
  return found;
}

/** The folders of a work tree among the words of a command: it may go there before it runs what is there. */
async function foldersAmong(words: readonly string[], workTree: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const path of words.map((word) => resolve(workTree, word))) {
    const isBelow = isInside(workTree, path) && path !== workTree;
    if (isBelow && folders.length < mostFolders && (await entryAt(path))?.isDirectory() === true)
      folders.push(path);
  }
  return folders;
}

/** How many folders of a command are looked at. */
const mostFolders = 20;

/**
 * The folders with the settings of a work tree: of one that is linked, or a submodule, others than its own
 * `.git`. A linked one shares one with other work trees.
 */
async function repositoryOf(workTree: string): Promise<{ readonly own: string; readonly shared: string }> {
  const pointer = join(workTree, ".git");
  const [, named = ""] = /^gitdir: ([^\n]+)/.exec(await textOf(pointer)) ?? [];
  const own = named === "" ? pointer : resolve(workTree, named);
  return { own, shared: own.replace(/\/worktrees\/[^/]+$/, "") };
}

/** How many files of settings are read. */
const mostSettings = 20;

/** What a file holds; nothing where it is none, or a large one. */
async function textOf(path: string): Promise<string> {
  const status = await entryAt(path);
  const isRead = status?.isFile() === true && status.size <= largestSettings;
  return isRead ? ((await unlessRefused(readFile(bytesOfPath(path), "utf8"))) ?? "") : "";
}

function entryAt(path: string): Promise<Stats | undefined> {
  return unlessRefused(lstat(bytesOfPath(path)));
}

/**
 * Undefined where nothing is or can be at a path, or git itself, which is this user, could not read it
 * either.
 */
async function unlessRefused<Value>(look: Promise<Value>): Promise<Value | undefined> {
  try {
    return await look;
  } catch (fault) {
    if (["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"].includes(errorCode(fault))) return undefined;
    throw fault;
  }
}

/** What a setting names that git obeys or runs. */
type Named = { readonly words: readonly string[]; readonly isPlace: boolean };

function namedIn(settings: string): readonly Named[] {
  return settingsIn(settings).map(({ section, key, value }) => {
    if (placeKey.test(key)) return { words: value.includes("\0") ? [] : [value], isPlace: true };
    const isCommand = commandKey.test(key) || commandSections.has(section) || value.startsWith("!");
    return { words: isCommand ? wordsOfCommand(value) : [], isPlace: false };
  });
}

/** Where a word may lead: from some folders, and from each that may be the home of a `~`. */
function placesOf(word: string, folders: readonly string[], homes: readonly string[]): readonly string[] {
  const [, fromHome] = /^~[^/]*\/(.*)$/s.exec(word) ?? [];
  const [rest, from] = fromHome === undefined ? [word, folders] : [fromHome, homes];
  return from.map((folder) => resolve(folder, rest));
}

function foldersFrom(folder: string): readonly string[] {
  return folder === dirname(folder) ? [folder] : [folder, ...foldersFrom(dirname(folder))];
}
