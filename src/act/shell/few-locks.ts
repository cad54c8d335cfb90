import { dirname } from "node:path";
import { isInside } from "../../text/is-inside.ts";

/** Paths that stay as they are while a command runs, and the folders above them, which cannot be moved. */
export type LockedPaths = { readonly locked: readonly string[]; readonly pinned: readonly string[] };

/** The time that bubblewrap needs grows with the square of the number of locked paths: one to two seconds for these. */
const mostMounts = 600;

/** Git writes beside what it obeys. */
const inRepository = /\/\.git(?:\/|$)/i;

/**
 * Locks paths of a workspace. Where they are too many, the folders that hold the most of them are locked as a whole, but none of which a part may change.
 * Null if they are too many even so.
 */
export function lockFew(
  paths: readonly string[],
  workspace: string,
  mayChange: (folder: string) => boolean,
): LockedPaths | null {
  let locked: ReadonlySet<string> = new Set(paths);
  for (;;) {
    const pinned = foldersAbove(locked, workspace);
    const tooMany = locked.size + pinned.size - mostMounts;
    if (tooMany <= 0) return { locked: [...locked], pinned: [...pinned].sort() };
    const whole = foldersToLock(locked, tooMany, (folder) => folder === workspace || mayChange(folder));
    if (whole.size === 0) return null;
    locked = new Set([...[...locked].filter((path) => !isBelow(path, whole, workspace)), ...whole]);
  }
}

/** The folders to lock as a whole next: those that hold the most paths, until enough are saved; where each holds one, the deepest. */
function foldersToLock(
  locked: ReadonlySet<string>,
  enough: number,
  isExcluded: (folder: string) => boolean,
): ReadonlySet<string> {
  const held = [...Map.groupBy(locked, (path) => dirname(path))].filter(
    ([folder]) => !isExcluded(folder) && !inRepository.test(folder),
  );
  const several = held
    .filter(([, paths]) => paths.length > 1)
    .toSorted((one, other) => other[1].length - one[1].length);
  const chosen = new Set<string>();
  let saved = 0;
  for (const [folder, paths] of several) {
    if (saved >= enough) break;
    chosen.add(folder);
    // A folder that is locked is no longer pinned.
    saved += paths.length;
  }
  if (chosen.size > 0) return chosen;
  const deepest = held.reduce((depth, [folder]) => Math.max(depth, depthOf(folder)), 0);
  return new Set(held.map(([folder]) => folder).filter((folder) => depthOf(folder) === deepest));
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function foldersAbove(locked: ReadonlySet<string>, workspace: string): ReadonlySet<string> {
  const above = new Set<string>();
  for (const path of locked)
    for (let at = dirname(path); at !== workspace && isInside(workspace, at); at = dirname(at)) above.add(at);
  return above;
}

function isBelow(path: string, folders: ReadonlySet<string>, workspace: string): boolean {
  for (let at = dirname(path); at !== workspace && isInside(workspace, at); at = dirname(at))
    if (folders.has(at)) return true;
  return false;
}
