import type { BigIntStats } from "node:fs";
import { chmod, chown, link, lstat, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { kindOf, namesIn, statusOf } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";
import { allKept, completeCopy, findKeptByDisk, isLike } from "./given-modes.ts";
import { copyHeld, draftName, type HeldPlace, holdFolder, holdOwnPlace, removeHeld } from "./held-place.ts";
import type { ReadyCopies } from "./staged-copies.ts";

/** Puts what is at `incoming` (null: nothing) in the place of what is at `path`, and that at `aside`. One file takes the place of another in one step. */
export type Placement = {
  readonly path: string;
  readonly incoming: string | null;
  readonly aside: string;
  /**
   * What was at `path` when it was compared; null where nothing was. Where something else is there by now,
   * nothing is exchanged. Default: it is not compared.
   */
  readonly seen?: BigIntStats | null;
  /** Copies on the other disk that are ready. Default: none. */
  readonly copies?: ReadyCopies;
};

/** Thrown where an exchange cannot be made; then nothing is changed. */
export class NotExchanged extends Error {}

/** Told each step right after it was made. Where it throws, the rest is left undone, as by a kill. */
export type Step = (step: "planned" | "recorded" | "set aside" | "exchanged" | "modes" | "sealed") => void;

/**
 * Makes one exchange; says whether what came in was copied from another file system: a copy gets the name
 * once it is like what was copied.
 */
export async function exchange(
  { path, incoming, aside, seen, copies }: Placement,
  step?: Step,
): Promise<{ readonly isCopied: boolean }> {
  await using folder = await holdFolder(dirname(path));
  if (folder === null) throw new NotExchanged(`${dirname(path)} is not there any more, or leads elsewhere`);
  const at = folder.at(basename(path));
  await using displaced = await holdOwnPlace(aside);
  await using coming = incoming === null ? null : await holdOwnPlace(incoming);
  const [old, now] = await Promise.all([statusOf(at.path), coming === null ? null : statusOf(coming.path)]);
  if (coming !== null && now === null) throw new NotExchanged("what was to take its place is gone");
  if (seen !== undefined && !isSameEntry(old, seen))
    throw new NotExchanged("somebody else changed it just now");
  const isFileForFile = old !== null && now !== null && kindOf(old) !== "folder" && kindOf(now) !== "folder";
  const readyOld = copies?.get(path);
  const stays = isFileForFile && (await setAside(at, displaced, readyOld));
  if (old !== null && !stays) await move(at, displaced, readyOld);
  step?.("set aside");
  if (coming === null) return { isCopied: false };
  try {
    return { isCopied: await move(coming, at, copies?.get(incoming ?? "")) };
  } catch (fault) {
    // Nothing stays aside of what stays in place.
    if (stays) await rm(bytesOfPath(displaced.path), { force: true });
    else if (old !== null) await move(displaced, at);
    throw fault;
  }
}

/**
 * Whether an entry is the one that was seen, and nobody wrote into it since. A second name changes neither.
 */
function isSameEntry(now: BigIntStats | null, seen: BigIntStats | null): boolean {
  if (now === null || seen === null) return now === seen;
  return (
    now.ino === seen.ino && now.dev === seen.dev && now.size === seen.size && now.mtimeNs === seen.mtimeNs
  );
}

/** What the system says of a second name where the file, its owner or the file system does not allow one. */
const noSecondNames = ["EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Keeps a file under a second name, or as a copy on another file system, so that it stays in its place until
 * the new one takes it. False where it can only be moved.
 */
async function setAside(from: HeldPlace, to: HeldPlace, ready?: string): Promise<boolean> {
  try {
    await link(bytesOfPath(from.path), bytesOfPath(to.path));
  } catch (fault) {
    if (noSecondNames.includes(errorCode(fault))) return false;
    if (!crossesFileSystems(fault)) throw fault;
    await copyTree(from, to, ready);
  }
  return true;
}

/** Moves a file or a whole folder by one rename; to another file system as a copy that is whole before it gets its name. True for a copy. */
async function move(from: HeldPlace, to: HeldPlace, ready?: string): Promise<boolean> {
  try {
    await renameOpened(from.path, to.path);
    return false;
  } catch (fault) {
    if (!crossesFileSystems(fault)) throw fault;
    const draft = draftAt(to);
    await copyTree(from, draft, ready);
    await renameOpened(draft.path, to.path);
    await removeCopied(from);
    return true;
  }
}

/**
 * Removes what was copied elsewhere: its name is free at once. A folder of a lower layer of overlayfs cannot
 * be renamed at all, and is removed entry by entry.
 */
async function removeCopied(place: HeldPlace): Promise<void> {
  const left = draftAt(place);
  try {
    await renameOpened(place.path, left.path);
  } catch (fault) {
    if (!crossesFileSystems(fault)) throw fault;
    return removeHeld(place);
  }
  await removeHeld(left);
}

/** Where something lies, beside its place, while it is copied there or removed. */
function draftOf(path: string): string {
  return join(dirname(path), draftName(basename(path)));
}

/** Removes what a kill left beside a path. */
export async function removeDraft(path: string): Promise<void> {
  await using folder = await holdFolder(dirname(path));
  const draft = folder?.at(basename(draftOf(path)));
  if (draft !== undefined && (await statusOf(draft.path)) !== null) await removeHeld(draft);
}

function draftAt(place: HeldPlace): HeldPlace {
  const path = draftOf(place.path);
  return { ...place, path, name: basename(path) };
}

/** Renames an entry, also a folder that its mode closes for writing. */
async function renameOpened(from: string, to: string): Promise<void> {
  try {
    await rename(bytesOfPath(from), bytesOfPath(to));
  } catch (fault) {
    const status = errorCode(fault) === "EACCES" ? await lstat(bytesOfPath(from)) : null;
    if (status?.isDirectory() !== true) throw fault;
    await openForRename(from, status.mode);
    await rename(bytesOfPath(from), bytesOfPath(to));
    await chmod(bytesOfPath(to), status.mode & 0o7777);
  }
}

/**
 * Opens a folder for its rename. It keeps its other bits meanwhile: where the system forbids to give them,
 * nothing is changed yet.
 */
async function openForRename(path: string, mode: number): Promise<void> {
  try {
    await chmod(bytesOfPath(path), (mode & 0o7777) | 0o700);
  } catch (fault) {
    if (errorCode(fault) !== "EPERM") throw fault;
    throw new NotExchanged(`${path} is closed for writing, and the system forbids to open it`);
  }
}

/** Gives a copy that is ready the name of a place, where it is like its file. */
async function useReady(from: HeldPlace, to: HeldPlace, ready: string): Promise<boolean> {
  const [meant, made] = await Promise.all([statusOf(from.path), statusOf(ready)]);
  if (meant === null || made === null || !isLike(made, meant) || made.mtimeNs !== meant.mtimeNs) return false;
  await rename(ready, bytesOfPath(to.path));
  return true;
}

/** Copies to a place where nothing is. Nothing stays of a copy that is not like what was copied. */
async function copyTree(from: HeldPlace, to: HeldPlace, ready?: string): Promise<void> {
  if (ready !== undefined && (await useReady(from, to, ready))) return;
  const foreign = await findForeign(from.path);
  if (foreign !== null)
    throw new NotExchanged(
      `${join(from.name, foreign).toWellFormed()} belongs to another user or group, which a copy on another disk would not keep`,
    );
  let isWhole = false;
  try {
    const problem = await problemOfCopy(from, to);
    if (problem !== null) throw new NotExchanged(problem);
    isWhole = true;
  } finally {
    if (!isWhole) await removeHeld(to);
  }
}

async function problemOfCopy(from: HeldPlace, to: HeldPlace): Promise<string | null> {
  const problem = await copyHeld(from, to);
  const unlike = problem === null ? await completeCopy(from.path, to.path) : null;
  if (problem === null && unlike === null) return null;
  const status = await lstat(bytesOfPath(from.path), { bigint: true });
  const kept = await findKeptByDisk(to, status).catch((fault: unknown) => {
    // A disk that takes no file more says nothing of modes.
    if (problem === null || errorCode(fault) === "") throw fault;
    return allKept;
  });
  if (kept.modes && kept.owners) return problem ?? unlikeWords(from, unlike);
  if (problem !== null) {
    await removeHeld(to);
    const what = [...(kept.modes ? ["mode"] : []), ...(kept.owners ? ["ownership"] : [])];
    const again = await copyHeld(from, to, ["timestamps", "links", ...what]);
    if (again !== null) return again;
  }
  return unlikeWords(from, await completeCopy(from.path, to.path, kept));
}

function unlikeWords({ name }: HeldPlace, unlike: string | null): string | null {
  return unlike === null
    ? null
    : `the disk does not hold the mode, owner, group or contents of ${join(name, unlike).toWellFormed()}`;
}

/**
 * What is at or below a path and belongs to somebody to whom this process cannot give it; null where nothing
 * does.
 */
async function findForeign(path: string): Promise<string | null> {
  const [user, groups] = [process.geteuid?.(), process.getgroups?.() ?? []];
  if (user === undefined || user === 0) return null;
  for await (const { inside, status } of walkEntries(path))
    if (Number(status.uid) !== user || !groups.includes(Number(status.gid))) return inside;
  return null;
}

function crossesFileSystems(fault: unknown): boolean {
  return errorCode(fault) === "EXDEV";
}

/**
 * What a command made never runs with the rights of its owner or group. A file that took the place of
 * another, made anew by a program of root, belongs to whom that belonged.
 */
export async function asKept(incoming: string, path: string): Promise<void> {
  const paths = [incoming];
  for (const each of paths) {
    const status = await statusOf(each);
    if (status?.isDirectory() === true) for (const name of await namesIn(each)) paths.push(`${each}/${name}`);
    else if (status?.isFile() === true && (status.mode & 0o6000n) !== 0n)
      await chmod(bytesOfPath(each), Number(status.mode & 0o1777n));
  }
  const [now, old] = await Promise.all([statusOf(incoming), statusOf(path)]);
  const isOwned = now?.uid === old?.uid && now?.gid === old?.gid;
  if (process.geteuid?.() !== 0 || isOwned || now?.isFile() !== true || old?.isFile() !== true) return;
  await chown(bytesOfPath(incoming), Number(old.uid), Number(old.gid));
}
