import { chmodSync, chownSync, lstatSync, utimesSync } from "node:fs";

/** What a backup says of an entry of the notes. Backups of earlier versions say less. */
type Access = {
  readonly mode?: number | undefined;
  readonly modified?: number | undefined;
  readonly owner?: number | undefined;
  readonly group?: number | undefined;
};

const setGroup = 0o2000;

/**
 * Gives a restored entry its group, its owner where this user is root, its mode and its time. False where
 * the group, or the bit that hands it on, could not be given: this user is not in it, or the disk or the
 * system does not take it.
 */
export function giveAccess(path: string, { mode, modified, owner, group }: Access): boolean {
  const hasGroup = group === undefined || giveGroup(path, { owner, group });
  // Of another group than it was, a folder hands on the wrong one.
  const wanted = mode !== undefined && !hasGroup ? mode & ~setGroup : mode;
  const hasMode = wanted === undefined || giveMode(path, wanted);
  if (modified !== undefined) utimesSync(path, modified / 1000, modified / 1000);
  return hasGroup && hasMode;
}

function giveGroup(
  path: string,
  { owner, group }: { readonly owner: number | undefined; readonly group: number },
): boolean {
  const now = lstatSync(path);
  const isRoot = process.geteuid?.() === 0;
  const uid = isRoot && owner !== undefined ? owner : now.uid;
  if (now.gid === group && now.uid === uid) return true;
  if (!isRoot && process.getgroups?.().includes(group) !== true) return false;
  return isTaken(() => chownSync(path, uid, group));
}

function giveMode(path: string, mode: number): boolean {
  if (isTaken(() => chmodSync(path, mode))) return true;
  if ((mode & setGroup) !== 0) isTaken(() => chmodSync(path, mode & ~setGroup));
  return false;
}

/** False where the disk or the system does not take a change of owner or mode. */
function isTaken(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EPERM" || code === "EINVAL" || code === "ENOTSUP" || code === "EOPNOTSUPP") return false;
    throw error;
  }
}
