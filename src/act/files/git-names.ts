import type { Stats } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";

/** Keys whose value is a place that git reads or runs hooks from. */
const placeKey = /^(?:path|hookspath|attributesfile)$/i;
/** Keys whose value is a command; a section of aliases has them under any name. */
const commandKey =
  /^(?:fsmonitor|pager|editor|sshcommand|gitproxy|askpass|external|textconv|command|clean|smudge|process|driver|program|helper|cmd|difffilter|alternaterefscommand|uploadpack|receivepack|defaultkeycommand)$/i;
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
 * that included settings name.
 */
export async function namesInSettings(workTree: string): Promise<readonly string[]> {
  const repository = await repositoryOf(workTree);
  const found = new Set<string>();
  const settings = new Set([join(repository, "config")]);
  for (const file of settings)
    for (const { words, isPlace } of valuesOf(await textOf(file)))
      for (const path of words.flatMap((word) => [resolve(workTree, word), resolve(dirname(file), word)])) {
        if (isPlace && settings.size < mostSettings) settings.add(path);
        const isOwn = isInside(workTree, path) && path !== workTree && !isInside(repository, path);
        // A word of a command may be anything: it counts where it is, or could become, a file.
        if (isOwn && (isPlace || (await entryAt(path))?.isDirectory() !== true)) found.add(path);
      }
  return [...found];
}

/**
 * The folder with the settings of a work tree: of one that is linked, or a submodule, another one than its
 * own `.git`.
 */
async function repositoryOf(workTree: string): Promise<string> {
  const pointer = join(workTree, ".git");
  const [, named = ""] = /^gitdir: ([^\n]+)/.exec(await textOf(pointer)) ?? [];
  return named === "" ? pointer : resolve(workTree, named).replace(/\/worktrees\/[^/]+$/, "");
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

type Value = { readonly words: readonly string[]; readonly isPlace: boolean };

function valuesOf(settings: string): readonly Value[] {
  let section = "";
  const values: Value[] = [];
  for (const line of settings.replaceAll(/\\\r?\n/g, "").split("\n")) {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, key = "", value = ""] = /^(?:\s*\[[^\n]*\])?\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    const isPlace = placeKey.test(key);
    const words = isPlace
      ? [value.trim().replace(/^"(.*)"$/, "$1")]
      : commandKey.test(key) || section === "alias"
        ? value.split(/[\s"'`;&|()<>$=\\!,]+/)
        : [];
    values.push({ words: words.filter((word) => word !== "" && !word.includes("\0")), isPlace });
  }
  return values;
}
