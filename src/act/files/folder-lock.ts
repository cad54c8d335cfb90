import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
} from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { done, errorCode, type Fallible, problem } from "./fallible.ts";
import type { FolderHandle } from "./open-file.ts";

/** A lock on the files of a folder against other agents. It is held for milliseconds. */
export type FolderLock = AsyncDisposable & {
  /** Whether it still is ours. An agent that waited too long takes it over. Does not wait. */
  readonly isHeld: () => boolean;
};

/** The link that holds the lock. Its target names the holder. */
const lockName = ".passepartout-lock";

/** Milliseconds that a lock is waited for. */
export type LockWaits = {
  /**
   * After which a lock that stays the same is taken over: its holder hangs, or died on another machine. What
   * was there before counts.
   */
  readonly same: number;
  /** After which a lock that goes from one holder to the next is given up. */
  readonly all: number;
};

const lockWaits: LockWaits = { same: 10_000, all: 30_000 };

/**
 * Locks a folder against other agents that write into it, whatever their state folder or machine. The lock
 * of a process that ended is taken over at once, also where another process has its number by now.
 */
export async function lockFolder(folder: FolderHandle, waits = lockWaits): Promise<Fallible<FolderLock>> {
  const path = folder.inside(lockName);
  const own = ownToken();
  const began = performance.now();
  let seen = { token: "", since: began };
  while (!(await makeLock(path, own))) {
    const token = readToken(path);
    const now = performance.now();
    if (token !== null && token !== seen.token) seen = { token, since: now - ageOf(path) };
    const isStale = token !== null && (isDead(token) || now - seen.since > waits.same);
    if (isStale && (await takeOver(folder, { token, own }))) break;
    if (now - began > waits.all) return busy(folder);
    await sleep(1 + Math.random() * 4);
  }
  return done({
    isHeld: () => readToken(path) === own,
    async [Symbol.asyncDispose]() {
      if (readToken(path) === own) await rm(path, { force: true });
    },
  });
}

/** Removes the lock of a process of this machine that ended. */
export async function removeDeadLock(folder: string): Promise<void> {
  const path = join(folder, lockName);
  const token = readToken(path);
  if (token !== null && isDead(token)) await rm(path, { force: true });
}

function busy(folder: FolderHandle) {
  return problem(
    "busy",
    `${folder.path}: other agents hold ${lockName} in this folder for too long, so nothing was written. If none of them runs, remove ${lockName}; then try again.`,
  );
}

/** The processes that a number means something to: those of this machine and of this container. */
function ownHost(): string {
  return `${hostname().replaceAll(/\s/g, "-")} ${linkTarget("/proc/self/ns/pid") ?? ""}`;
}

function ownToken(): string {
  return `${ownHost()} ${process.pid} ${startOf(process.pid) ?? ""}/${randomUUID()}`;
}

/**
 * When a process of this machine started: the boot, and ticks since it. Null where there is no such process,
 * or no `/proc`.
 */
function startOf(pid: number): string | null {
  try {
    const [boot] = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").split("-");
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return `${boot}@${fields[19]}`;
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return null;
  }
}

/** Milliseconds since a lock was made, by the clock of this machine; 0 where that cannot be told. */
function ageOf(path: string): number {
  const made = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return made === undefined ? 0 : Math.max(0, Date.now() - made);
}

function isDead(token: string): boolean {
  const [, host = "", pid = "", start = ""] = /^(.*) (\d+) (?:([^\s/]*)\/)?\S+$/.exec(token) ?? [];
  if (host !== ownHost()) return false;
  if (start !== "" && startOf(Number(pid)) !== start) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}

const noLinks = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Makes the lock as a link, which has its target from the start; as a file where the file system has no links. False if there is one. */
async function makeLock(path: string, token: string): Promise<boolean> {
  try {
    await symlink(token, path).catch((error: unknown) => {
      if (!noLinks.includes(errorCode(error))) throw error;
      return writeFile(path, token, { flag: "wx" });
    });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Replaces a stale lock by our own; false if it is no longer the same, or is a folder. */
async function takeOver(
  folder: FolderHandle,
  { token, own }: { readonly token: string; readonly own: string },
): Promise<boolean> {
  const path = folder.inside(lockName);
  const next = folder.inside(`.passepartout-${randomUUID()}.tmp`);
  await makeLock(next, own);
  try {
    if (readToken(path) !== token) return false;
    renameSync(next, path);
    return readToken(path) === own;
  } catch (error) {
    if (errorCode(error) === "EISDIR") return false;
    throw error;
  } finally {
    await rm(next, { force: true });
  }
}

const longestToken = 1024;
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What names the holder of a lock, empty if it cannot be read; null if there is no lock. */
function readToken(path: string): string | null {
  const target = linkTarget(path);
  if (target !== null) return target;
  try {
    const file = openSync(path, flags);
    try {
      if (!fstatSync(file).isFile()) return "";
      const room = Buffer.alloc(longestToken);
      return room.toString("utf8", 0, readSync(file, room));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return errorCode(error) === "ENOENT" ? null : "";
  }
}

/** Where a symbolic link leads; null for anything else. */
function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return null;
  }
}
