import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";

/**
 * File systems of disks of this machine, by the numbers of `linux/magic.h`: a read waits for no other one.
 */
const localFileSystems: ReadonlySet<number> = new Set([
  0x0000ef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
  0x2fc12fc1, // zfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
]);

/** Bytes of the largest file that is read at once: a disk gives them in one turn. */
const largestAtOnce = 262_144;

const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Files that are read the usual way first, and the milliseconds that each may take where a disk is fast. */
const readFirst = 100;
const fastFile = 10;

/** Milliseconds after which one call says that the disk is slow by now: all others are read the usual way. */
const slowCall = 10;

/**
 * Reads a small regular file at once; null where it is none, or has to be read the usual way, which says why.
 */
export type QuickReader = (path: string) => Uint8Array | null;

/**
 * Makes a reader of small files on the disk of a folder, as `readWholeFile` reads them: thousands of files
 * take a tenth of the time. Its caller lets other work have a turn. Reads nothing on another disk, nothing
 * before the usual way has shown that the disk is fast, and nothing once one call was slow: where each takes
 * long, as on a stick or a disk that wakes up, others would wait.
 */
export async function makeQuickReader(folder: string, clock = () => performance.now()): Promise<QuickReader> {
  const device = await localDevice(folder);
  const begun = clock();
  let asked = 0;
  let isFast = device !== null;
  return (path) => {
    asked += 1;
    if (asked === readFirst) isFast &&= clock() - begun < readFirst * fastFile;
    if (!isFast || asked < readFirst) return null;
    let descriptor: number | null = null;
    try {
      const called = clock();
      const found = lstatSync(path);
      isFast = clock() - called < slowCall;
      if (!isFast) return null;
      if (found.dev !== device || !found.isFile() || found.size > largestAtOnce) return null;
      descriptor = openSync(path, flags);
      const opened = fstatSync(descriptor);
      const isSame = opened.dev === device && opened.ino === found.ino && opened.size <= largestAtOnce;
      if (!opened.isFile() || !isSame || readlinkSync(`/proc/self/fd/${descriptor}`) !== path) return null;
      return readAll(descriptor, opened.size);
    } catch (fault) {
      if (errorCode(fault) === "") throw fault;
      return null;
    } finally {
      if (descriptor !== null) closeSync(descriptor);
    }
  };
}

/** The device of a folder on a disk of this machine; null for any other. */
async function localDevice(folder: string): Promise<number | null> {
  try {
    const { type } = await statfs(bytesOfPath(folder));
    return localFileSystems.has(type) ? lstatSync(bytesOfPath(folder)).dev : null;
  } catch (fault) {
    if (errorCode(fault) === "") throw fault;
    return null;
  }
}

/** What is added while it is read is not read. */
function readAll(descriptor: number, size: number): Uint8Array {
  const room = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(descriptor, room, filled, size - filled, filled);
    if (read === 0) break;
    filled += read;
  }
  return room.subarray(0, filled);
}
