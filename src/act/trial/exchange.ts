import { execFile } from "node:child_process";
import { chmod, link, lstat, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { openFolder } from "../files/open-file.ts";
import { removeTree } from "../sandbox/overlay.ts";
import { kindOf, namesIn, statusOf } from "./difference.ts";

/** Puts what is at `incoming` (null: nothing) in the place of what is at `path`, and that at `aside`. One file takes the place of another in one step. */
export type Placement = { readonly path: string; readonly incoming: string | null; readonly aside: string };

/** Thrown where an exchange cannot be made; then nothing is changed. */
export class NotExchanged extends Error {}

/** Told each step right after it was made. Where it throws, the rest is left undone, as by a kill. */
export type Step = (step: "planned" | "recorded" | "set aside" | "exchanged" | "modes" | "sealed") => void;

/** Makes one exchange; says whether what came in was copied from another file system. Throws `NotExchanged` where the folder around the path is not there any more or leads elsewhere. */
export async function exchange(
  { path, incoming, aside }: Placement,
  step?: Step,
): Promise<{ readonly isCopied: boolean }> {
  const parent = dirname(path);
  if ((await realpath(bytesOfPath(parent), "utf8").catch(() => null)) !== parent && parent.isWellFormed())
    throw new NotExchanged(`${parent} is not there any more, or leads elsewhere`);
  await using folder = await heldFolder(parent);
  const at = folder.inside(basename(path));
  const [old, now] = await Promise.all([statusOf(at), incoming === null ? null : statusOf(incoming)]);
  const isFileForFile = old !== null && now !== null && kindOf(old) !== "folder" && kindOf(now) !== "folder";
  if (isFileForFile) await setAside(at, aside);
  else if (old !== null) await move(at, aside);
  step?.("set aside");
  if (incoming === null) return { isCopied: false };
  try {
    return { isCopied: await move(incoming, at) };
  } catch (fault) {
    // Nothing stays aside of what stays in place.
    if (isFileForFile) await rm(bytesOfPath(aside), { force: true });
    else if (old !== null) await move(aside, at);
    throw fault;
  }
}

async function heldFolder(path: string) {
  if (!path.isWellFormed())
    return { inside: (name: string) => join(path, name), [Symbol.asyncDispose]: async () => {} };
  const folder = await openFolder(path);
  if (!folder.ok) throw new NotExchanged(folder.message);
  return folder.value;
}

/** Keeps a file under a second name, so that it stays in its place until the new one takes it. */
async function setAside(from: string, to: string): Promise<void> {
  try {
    await link(bytesOfPath(from), bytesOfPath(to));
  } catch (fault) {
    if (!crossesFileSystems(fault) && errorCode(fault) !== "EPERM") throw fault;
    await copyTree(from, to);
  }
}

/** Moves a file or a whole folder by one rename; to another file system as a copy that is whole before it gets its name. True for a copy. */
async function move(from: string, to: string): Promise<boolean> {
  try {
    await renameOpened(from, to);
    return false;
  } catch (fault) {
    if (!crossesFileSystems(fault)) throw fault;
    await copyTree(from, draftOf(to));
    await renameOpened(draftOf(to), to);
    await renameOpened(from, draftOf(from));
    await removeTree(draftOf(from));
    return true;
  }
}

/** Where something lies, beside its place, while it is copied there or removed. */
export function draftOf(path: string): string {
  return join(dirname(path), `.passepartout-part-${basename(path).toWellFormed().slice(0, 60)}`);
}

/** Renames an entry, also a folder that its mode closes for writing. */
async function renameOpened(from: string, to: string): Promise<void> {
  try {
    await rename(bytesOfPath(from), bytesOfPath(to));
  } catch (fault) {
    const status = errorCode(fault) === "EACCES" ? await lstat(bytesOfPath(from)) : null;
    if (status?.isDirectory() !== true) throw fault;
    await chmod(bytesOfPath(from), 0o700);
    await rename(bytesOfPath(from), bytesOfPath(to));
    await chmod(bytesOfPath(to), status.mode & 0o7777);
  }
}

/** Copies with modes, links, times and holes. */
async function copyTree(from: string, to: string): Promise<void> {
  if (!from.isWellFormed() || !to.isWellFormed())
    throw new NotExchanged(`${from.toWellFormed()} is on another disk, and its name is not in UTF-8`);
  await promisify(execFile)("/usr/bin/cp", ["-a", "--sparse=always", "-T", "--", from, to], { env: {} });
}

function crossesFileSystems(fault: unknown): boolean {
  return errorCode(fault) === "EXDEV";
}

/** What a command made never runs with the rights of its owner or group. */
export async function withoutPrivilege(path: string): Promise<void> {
  const paths = [path];
  for (const each of paths) {
    const status = await statusOf(each);
    if (status?.isDirectory() === true) for (const name of await namesIn(each)) paths.push(`${each}/${name}`);
    else if (status?.isFile() === true && (status.mode & 0o6000n) !== 0n)
      await chmod(bytesOfPath(each), Number(status.mode & 0o1777n));
  }
}
