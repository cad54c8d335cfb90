import type { Stats } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { LaterLink } from "../../signal/kept-guard.ts";
import { isInside } from "../../text/is-inside.ts";
import { buildRule, lockedRule } from "../../text/later/executed-later.ts";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";
import { namesInSettings } from "../files/git-names.ts";
import { followLinks } from "../files/real-path.ts";
import { inBatches } from "./in-batches.ts";

/** A path that is executed or obeyed later. */
export type LaterPath = {
  readonly why: string;
  /** True for the folder of a repository: whole if it is new; of one that was there only what git obeys is locked. */
  readonly isRepository: boolean;
};

/** What of a folder is executed or obeyed later. */
export type LaterPaths = {
  /** By real path; of what lies in a folder that counts, only the folder. */
  readonly named: ReadonlyMap<string, LaterPath>;
  /** The links with such a name or in such a folder, and the links of the folder over which they lead. */
  readonly links: ReadonlyMap<string, LaterLink>;
  /** What must be read-only, besides the named paths that are no links: targets of links, programs, other names of the same file. */
  readonly more: readonly string[];
  /** Files that run with the rights of their owner or group. */
  readonly privileged: ReadonlySet<string>;
  /** False if the folder is too large. */
  readonly complete: boolean;
};

const maxEntries = 200_000;
const objects = /\/\.git\/(?:.*\/)?objects\/[0-9a-f]{2}$/;
/** Folders that builds fill. What a build runs there is made anew by each build. */
const buildFolders = /(?:^|\/)(?:dist|build|_build|out|target|coverage|\.cache|\.next)(?:\/|$)/;
const privilege = 0o6000;

type Walk = {
  readonly root: string;
  readonly named: Map<string, LaterPath>;
  readonly links: Map<string, LaterLink>;
  readonly more: Set<string>;
  readonly privileged: Set<string>;
  /** The paths of each file that has several names, by device and inode. */
  readonly aliases: Map<string, string[]>;
  readonly folders: string[];
};

/** Walks a folder, outermost first, without following links. */
export async function findLaterPaths(root: string, limit = maxEntries): Promise<LaterPaths> {
  const walk: Walk = {
    root,
    named: new Map(),
    links: new Map(),
    more: new Set(),
    privileged: new Set(),
    aliases: new Map(),
    folders: [root],
  };
  let entries = 0;
  for (const folder of walk.folders) {
    const names = await namesIn(walk, folder);
    entries += names.length;
    if (entries > limit) break;
    for await (const _ of inBatches(names, (name) => visit(walk, join(folder, name))));
  }
  for (const paths of walk.aliases.values()) {
    if (!paths.some((path) => isNamed(walk, path))) continue;
    for (const path of paths) if (!isNamed(walk, path)) walk.more.add(path);
  }
  const { named, links, more, privileged } = walk;
  return {
    named,
    links,
    more: [...more].filter((path) => coveredBy(walk, path)?.isRepository !== false),
    privileged,
    complete: entries <= limit,
  };
}

function isNamed(walk: Walk, path: string): boolean {
  return coveredBy(walk, path) !== null;
}

/** What counts at a path: itself, or the folder that it lies in. */
function coveredBy({ named, root }: Walk, path: string): LaterPath | null {
  for (let at = path; at !== root && isInside(root, at); at = dirname(at)) {
    const found = named.get(at);
    if (found !== undefined) return found;
  }
  return null;
}

/** Why a folder counts as a whole that its user may not look into. */
export const unreadable = "nobody can look for what is executed later in it";

/** The names in a folder; none where it is gone. A folder that must not be looked into counts as a whole. */
async function namesIn(walk: Walk, folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(bytesOfPath(folder), { encoding: "buffer" })).map(textOfName);
  } catch (error) {
    if (!isMissing(error)) walk.named.set(folder, { why: unreadable, isRepository: false });
    return [];
  }
}

/** Null where the path is gone. What cannot be looked at makes the folder above count as a whole. */
async function statusOf(walk: Walk, path: string): Promise<Stats | null> {
  try {
    return await lstat(bytesOfPath(path));
  } catch (error) {
    if (!isMissing(error)) walk.named.set(dirname(path), { why: unreadable, isRepository: false });
    return null;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

async function visit(walk: Walk, path: string): Promise<void> {
  const status = await statusOf(walk, path);
  if (status === null) return;
  const inside = relative(walk.root, path);
  const isFolder = status.isDirectory();
  const covered = isNamed(walk, dirname(path)) && !inside.split("/").includes(".git");
  const rule = covered ? null : lockedRule(`/${inside}`, isFolder);
  const why = rule === buildRule && buildFolders.test(inside) ? null : rule;
  if (why !== null) walk.named.set(path, { why, isRepository: false });
  if (status.isSymbolicLink()) {
    // What packages link to, such as the sources of a workspace, is no package.
    const cause = why ?? (covered ? coveredBy(walk, path)?.why : undefined);
    if (cause !== undefined && (why !== null || cause !== buildRule)) await addLink(walk, path);
    return;
  }
  if (why === null && isFolder && /\/\.git$/i.test(path)) await addRepository(walk, path);
  if (isFolder) {
    if (!objects.test(path)) walk.folders.push(path);
    return;
  }
  if (!status.isFile()) return;
  if ((status.mode & privilege) !== 0) walk.privileged.add(path);
  if (status.nlink > 1) {
    const key = `${status.dev} ${status.ino}`;
    walk.aliases.set(key, [...(walk.aliases.get(key) ?? []), path]);
  }
  const isProgram = (status.mode & 0o111) !== 0 && why === null && !covered && !buildFolders.test(inside);
  if (isProgram && (await beginsAsScript(path))) walk.more.add(path);
}

const repository = "git runs its hooks and reads its settings";

/** Adds a repository, and what its settings name in its work tree. */
async function addRepository(walk: Walk, path: string): Promise<void> {
  walk.named.set(path, { why: repository, isRepository: true });
  for (const each of await namesInSettings(dirname(path), walk.root)) {
    const status = isInside(walk.root, each) ? await lstat(bytesOfPath(each)).catch(() => null) : null;
    if (status?.isFile() === true || status?.isDirectory() === true)
      walk.named.set(each, { why: "the settings of its repository name it", isRepository: false });
  }
}

/** Adds a link, those over which it leads, and what it leads to. */
async function addLink(walk: Walk, path: string): Promise<void> {
  const found = await followLinks(path).catch(() => null);
  const followed = found?.obstacle === null ? found : null;
  const target = followed?.path ?? null;
  const leads = target !== null && (await lstat(target).catch(() => null)) !== null;
  const links = followed?.links ?? [
    { path, target: await readlink(bytesOfPath(path), "utf8").catch(() => "") },
  ];
  for (const each of links)
    if (isInside(walk.root, each.path)) walk.links.set(each.path, { link: each.target, leads });
  if (leads && target !== walk.root && isInside(walk.root, target)) walk.more.add(target);
}

/** Whether a path is a script that may be run: an executable file that begins with `#!`. */
export async function isRunScript(path: string): Promise<boolean> {
  const status = await lstat(bytesOfPath(path)).catch(() => null);
  return status?.isFile() === true && (status.mode & 0o111) !== 0 && (await beginsAsScript(path));
}

/** True also for a file that cannot be read: nobody knows what it begins with. */
async function beginsAsScript(path: string): Promise<boolean> {
  const file = await open(bytesOfPath(path), "r").catch(() => null);
  if (file === null) return true;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.toString("latin1") === "#!";
  } finally {
    await file.close();
  }
}
