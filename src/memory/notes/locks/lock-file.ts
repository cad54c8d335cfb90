import { lstat, open, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** Who holds a file with unsaved changes, as the lock file beside it says; `process` is null where it does not say. */
export type FileLock = { readonly who: string; readonly process: number | null };

/** The lock file that Emacs, and editors like it, put beside a file while a buffer of it has unsaved changes. */
export function lockPathOf(path: string): string {
  return join(dirname(path), `.#${basename(path)}`);
}

/**
 * Who holds a lock file: a link that leads nowhere (`user@host.pid:boot`), or a regular file with such a line where there are no links.
 * Null where there is none, and where its process of this machine is gone. A lock of another machine always counts, and so does a link that
 * cannot be read as a lock. Throws where the folder cannot be looked at.
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

/** A lock in words for the person. */
export function describeLock(path: string, lock: FileLock): string {
  const name = basename(path);
  const process = lock.process === null ? "" : `, process ${lock.process}`;
  return `${name} has unsaved changes in an editor such as Emacs (${lock.who}${process}; lock file .#${name})`;
}

type Found = { readonly text: string; readonly isLink: boolean; readonly made: number };

const longestLock = 1024;

async function contentsOf(lockPath: string): Promise<Found | null> {
  try {
    const { mtimeMs, isLink, isFile } = await lookAt(lockPath);
    if (isLink) return { text: await readlink(lockPath), isLink, made: mtimeMs };
    return isFile ? { text: await firstBytes(lockPath), isLink, made: mtimeMs } : null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EINVAL", "ENAMETOOLONG"].includes(codeOf(error))) return null;
    throw error;
  }
}

async function lookAt(path: string) {
  const found = await lstat(path);
  return { mtimeMs: found.mtimeMs, isLink: found.isSymbolicLink(), isFile: found.isFile() };
}

async function firstBytes(path: string): Promise<string> {
  await using handle = await open(path, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestLock), 0, longestLock, 0);
  return buffer.toString("utf8", 0, bytesRead);
}

/** Emacs writes the host's name with a hyphen for each blank and control character. */
function hostName(): string {
  return hostname().replaceAll(/[\s\p{Cc}]/gu, "-");
}

type Claim = { readonly pid: number; readonly boot: string | null; readonly made: number };

/** True where the process of the lock is gone, or, after a restart of the machine, where its number is another's that began later. */
async function isStale({ pid, boot, made }: Claim): Promise<boolean> {
  if (!isRunning(pid)) return true;
  const machine = await machineTimes(pid);
  if (boot === null || machine === null) return false;
  return Math.abs(Number(boot) - machine.boot) > 1 && machine.began > made / 1000 + 1;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/** Ticks of the clock that the kernel counts process times by, a second. */
const ticksPerSecond = 100;

/** When this machine and a process of it began, in Unix seconds; null where the system does not tell. */
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
