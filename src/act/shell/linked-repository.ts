import { readdir, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { namesIfThere } from "../files/names-if-there.ts";
import { followLinks } from "../files/real-path.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { filesOfIndex } from "../trial/checked-out.ts";
import { withinSize } from "../trial/measure.ts";
import { textOfFile } from "./text-of-file.ts";

/** The repository of a work tree whose `.git` is a file, or a link. */
export type LinkedRepository = {
  /** The folder with its objects, branches and settings. */
  readonly folder: string;
  /**
   * The folder that `.git` names or leads to: of a linked work tree a part of `folder`, of a submodule, or
   * where the repository was made apart from its work tree, `folder` itself.
   */
  readonly own: string;
};

/**
 * The settings of a repository name its work tree in a line like this, as git writes it. Bytes
 * that are no UTF-8 would stand for another name.
 */
const workTreeLine =
  /(?<=^|\n)\tworktree = ([^"#;\\\s\uFFFD](?:[^"#;\\\n\r\uFFFD]*[^"#;\\\s\uFFFD])?)(?=\n|$)/;
const pointerText = /^gitdir: ([^\n\r\0\uFFFD]+)\n?$/;

/**
 * The repository that the `.git` of a folder names, or leads to as a link; null for a folder without one. Its
 * `.git` may come with any contents, so that it counts only if what it names is a repository that names this
 * folder in turn, or one that was made apart from a work tree and names none. There is no other link on the
 * way.
 */
export async function findLinkedRepository(folder: string): Promise<LinkedRepository | null> {
  const pointer = join(folder, ".git");
  const own = await ledTo(folder, pointer);
  if (own === null) return null;
  const common = await textOfPointer(join(own, "commondir"));
  if (common === null) return (await isOfOneTree(own, folder)) ? { folder: own, own } : null;
  return common === "../..\n" && (await isLinkedTree(own, pointer))
    ? { folder: dirname(dirname(own)), own }
    : null;
}

async function ledTo(folder: string, pointer: string): Promise<string | null> {
  const status = await entryIfThere(pointer);
  if (status?.isSymbolicLink() === true) return withoutLinks(folder, await readlink(pointer, "utf8"));
  const [, named = ""] = pointerText.exec((await textOfPointer(pointer)) ?? "") ?? [];
  return named === "" ? null : withoutLinks(folder, named);
}

/**
 * Whether the settings of a repository name a folder as its work tree. One in the work tree itself is that of
 * a submodule, which git keeps in a folder `modules`. Or they name none: so git makes a repository apart from
 * its work tree (git-init, "--separate-git-dir").
 */
async function isOfOneTree(own: string, folder: string): Promise<boolean> {
  const settings = (await textOfFile(join(own, "config"))) ?? "";
  if (own.includes("/modules/") || !isInside(folder, own)) {
    const [, workTree = ""] = workTreeLine.exec(settings) ?? [];
    if (workTree !== "") return (await withoutLinks(own, workTree)) === folder;
  }
  if (own.includes("/.git/") || !/^\tbare = false$/m.test(settings) || /worktree/i.test(settings))
    return false;
  // One with this name is that of the folder that it lies in, unless it lies there alone.
  const isAlone = basename(own) !== ".git" || (await namesIfThere(dirname(own))).length === 1;
  return isAlone && (await holdsListed(own, folder));
}

/**
 * Whether a folder holds a file that an index lists, or the index lists none. Any folder may claim a
 * repository that names no work tree, and in another one than its own, git takes all files for deleted.
 */
async function holdsListed(own: string, folder: string): Promise<boolean> {
  const listed = await withinSize(() => filesOfIndex(own, (path) => path));
  if (!listed.ok || listed.value === null) return false;
  for (const { name } of listed.value) if ((await entryIfThere(join(folder, name))) !== null) return true;
  return listed.value.length === 0;
}

async function isLinkedTree(own: string, pointer: string): Promise<boolean> {
  return basename(dirname(own)) === "worktrees" && (await pointerBack(own)) === pointer;
}

/** The `.git` file that a part of a repository names; null where it names none. */
async function pointerBack(own: string): Promise<string | null> {
  const [, back = ""] =
    /^([^\n\r\0\uFFFD]+)\n?$/.exec((await textOfPointer(join(own, "gitdir"))) ?? "") ?? [];
  return back === "" ? null : withoutLinks(own, back);
}

/**
 * The `.git` files of the linked work trees of the repository around a folder. Each names its repository, and
 * is named by it. Git takes a work tree for deleted where it does not see this file.
 */
export async function findPointers(cwd: string): Promise<readonly string[]> {
  const repository = await repositoryAround(cwd);
  const parts = join(repository ?? "/", "worktrees");
  if (repository === null || (await entryIfThere(parts))?.isDirectory() !== true) return [];
  const pointers: string[] = [];
  for (const name of await readdir(parts).catch(() => [])) {
    const pointer = await pointerBack(join(parts, name));
    if (pointer === null || basename(pointer) !== ".git") continue;
    const linked = await findLinkedRepository(dirname(pointer));
    if (linked?.own === join(parts, name)) pointers.push(pointer);
  }
  return pointers;
}

/**
 * The repository of the work tree that a folder is in; null for none, and for one that does not belong to it.
 */
export async function repositoryAround(cwd: string): Promise<string | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const status = await entryIfThere(join(folder, ".git"));
    if (status?.isDirectory() === true) return join(folder, ".git");
    if (status !== null) return (await findLinkedRepository(folder))?.folder ?? null;
    if (folder === "/") return null;
  }
}

/** Where a path leads as the kernel sees it; null where that takes a link. */
async function withoutLinks(folder: string, path: string): Promise<string | null> {
  const found = await followLinks(path.startsWith("/") ? path : `${folder}/${path}`);
  return found.links.length === 0 && found.obstacle === null && !found.leavesMissing ? found.path : null;
}

/**
 * The settings of a submodule without the line that names its work tree, which was compared with where it
 * is.
 */
export function withoutWorkTree(settings: string): string {
  return settings.replace(workTreeLine, "");
}

/** The files by which one repository refers to another hold a path. */
const longestPointer = 10_000;

async function textOfPointer(path: string): Promise<string | null> {
  const status = await entryIfThere(path);
  return status?.isFile() === true && status.size <= longestPointer ? textOfFile(path) : null;
}
