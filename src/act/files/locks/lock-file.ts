import { lstat, open, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { isRunning } from "../../../machine/is-running.ts";

/** The editor that has unsaved changes of a file, from the lock file; `process` is null if the lock does not name it. */
export type FileLock = { readonly who: string; readonly process: number | null };

/** The path of the lock file that Emacs and similar editors keep beside a file while a buffer has unsaved changes. */
export function lockPathOf(path: string): string {
  return join(dirname(path), `.#${basename(path)}`);
}

/**
 * Reads a lock file: a dangling symbolic link (`user@host.pid:boot`), or a regular file with such a line on file systems without links.
 * Null if there is none, or if its process ran on this machine and has ended. A lock of another machine always counts, and so does a link that
 * cannot be parsed. Throws if the folder cannot be read.
 */
export async function readLock(lockPath: string): Promise<FileLock | null> {
  const found = await contentsOf(lockPath);
  if (found === null) return null;
  const parsed = /^(.+)@(.+)\.(\d+)(?:[:\uf022](\d+))?\s*$/.exec(found.text);
  if (parsed === null) return found.isLink ? { who: "another program", process: null } : null;
  const [, user = "", host = "", pid = "", boot] = parsed;
  const lock = { who: `${user}@${host}`, process: Number(pid) };
  if (host !== hostName()) return lock;
  const stale = await isStale({ pid: Number(pid), boot: boot ?? null, made: found.made });
  return stale ? null : lock;
}

/**
 * The process that holds a lock, where it is one of this machine; null where it is not, or where the lock
 * does not name it.
 */
export function localHolderOf({ who, process }: FileLock): number | null {
  return who.endsWith(`@${hostName()}`) ? process : null;
}

/** Describes a lock for the owner. */
export function describeLock(path: string, lock: FileLock): string {
  const name = basename(path);
  const process = lock.process === null ? "" : `, process ${lock.process}`;
  return `${name} has unsaved changes in an editor such as Emacs (${lock.who}${process}; lock file .#${name})`;
}

type Found = { readonly text: string; readonly isLink: boolean; readonly made: number };

const longestLock = 1024;

async function contentsOf(lockPath: string): Promise<Found | null> {
  try {
    const { mtimeMs, isLink, isFile } = await statLock(lockPath);
    if (isLink) return { text: await readlink(lockPath), isLink, made: mtimeMs };
    return isFile ? { text: await firstBytes(lockPath), isLink, made: mtimeMs } : null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EINVAL", "ENAMETOOLONG"].includes(codeOf(error))) return null;
    throw error;
  }
}

async function statLock(path: string) {
  const found = await lstat(path);
  return { mtimeMs: found.mtimeMs, isLink: found.isSymbolicLink(), isFile: found.isFile() };
}

async function firstBytes(path: string): Promise<string> {
  await using handle = await open(path, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestLock), 0, longestLock, 0);
  return buffer.toString("utf8", 0, bytesRead);
}

/** The host name as Emacs writes it, with a hyphen for each blank and control character. */
export function hostName(): string {
  return hostname().replaceAll(/[\s\p{Cc}]/gu, "-");
}

type Claim = { readonly pid: number; readonly boot: string | null; readonly made: number };

/** True if the process of the lock has ended, or if, after a reboot, its number belongs to a process that started later. */
async function isStale({ pid, boot, made }: Claim): Promise<boolean> {
  if (!isRunning(pid)) return true;
  const machine = await machineTimes(pid);
  if (boot === null || machine === null) return false;
  return Math.abs(Number(boot) - machine.boot) > 1 && machine.began > made / 1000 + 1;
}

/** Clock ticks per second, the kernel's unit of process times. */
const ticksPerSecond = 100;

/** The start times of this machine and of a process, in Unix seconds; null if the system does not report them. */
async function machineTimes(pid: number): Promise<{ readonly boot: number; readonly began: number } | null> {
  try {
    const boot = Number(/^btime (\d+)$/m.exec(await readFile("/proc/stat", "utf8"))?.[1]);
    const status = await readFile(`/proc/${pid}/stat`, "utf8");
    const ticks = Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[19]);
    return Number.isNaN(boot + ticks) ? null : { boot, began: boot + ticks / ticksPerSecond };
  } catch (error) {
    if (codeOf(error) === "") throw error;
    return null;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
