import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, renameSync } from "node:fs";
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
  /** After which a lock that stays the same is taken over: its holder hangs, or died on another machine. */
  readonly same: number;
  /** After which a lock that goes from one holder to the next is given up. */
  readonly all: number;
};

const lockWaits: LockWaits = { same: 10_000, all: 30_000 };

/** Locks a folder against other agents that write into it, whatever their state folder or machine. The lock of a process that ended is taken over. */
export async function lockFolder(folder: FolderHandle, waits = lockWaits): Promise<Fallible<FolderLock>> {
  const path = folder.inside(lockName);
  const own = ownToken();
  const began = performance.now();
  let seen = { token: "", since: began };
  while (!(await makeLock(path, own))) {
    const token = readToken(path);
    const now = performance.now();
    if (token !== null && token !== seen.token) seen = { token, since: now };
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
  return `${ownHost()} ${process.pid} ${randomUUID()}`;
}

function isDead(token: string): boolean {
  const [, host = "", pid = ""] = /^(.*) (\d+) \S+$/.exec(token) ?? [];
  if (host !== ownHost()) return false;
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
