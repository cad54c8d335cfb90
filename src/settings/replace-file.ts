import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { describeError } from "../text/describe-error.ts";
import { SettingsError } from "./settings-error.ts";

/**
 * Replaces a file that only its owner can open as a whole, forced to disk. A link stays one, and its target
 * is replaced. A file that cannot be replaced, as one that is mounted by itself, is written in its place.
 * Nothing with the contents stays beside it.
 */
export function replaceFile(path: string, contents: string | Uint8Array): void {
  namingReadOnlyDisk(path, () => {
    const target = targetOf(path);
    const bytes = typeof contents === "string" ? Buffer.from(contents) : contents;
    makeFolderOf(target);
    if (!replaceWhole(target, bytes)) writeInPlace(target, bytes);
  });
}

/** Makes the folder of a file, for its owner alone, where it is not there. */
export function makeFolderOf(path: string): void {
  namingReadOnlyDisk(path, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }));
}

/** Does work on a file, and says so where its disk is read-only. */
function namingReadOnlyDisk(path: string, work: () => void): void {
  try {
    work();
  } catch (fault) {
    if (fault instanceof SettingsError) throw fault;
    if (codeOf(fault) !== "EROFS" && !liesOnReadOnlyDisk(path)) throw fault;
    const words = `${path} cannot be changed: its disk is read-only. Mount it writable, or make the change where the file comes from.`;
    throw new SettingsError(words, { cause: fault });
  }
}

/**
 * Whether the nearest folder of a path that is there is on a read-only disk: Node makes no folder there, and
 * says `ENOENT`.
 */
function liesOnReadOnlyDisk(path: string): boolean {
  let nearest = dirname(path);
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    return false;
  } catch (fault) {
    return codeOf(fault) === "EROFS";
  }
}

/** Where a path leads, also where the link's target is not there yet. */
function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch (fault) {
    if (["ENOENT", "ENOTDIR", "EINVAL"].includes(codeOf(fault))) return path;
    throw fault;
  }
}

/** False where the file is a mount point, or where its folder cannot be written and the file can. */
function replaceWhole(path: string, bytes: Uint8Array): boolean {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    const file = openSync(beside, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(beside, 0o600);
    renameSync(beside, path);
  } catch (fault) {
    rmSync(beside, { force: true });
    if (["EBUSY", "EACCES", "EPERM", "EROFS"].includes(codeOf(fault)) && canWrite(path)) return false;
    throw fault;
  }
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return true;
}

/** Writes over a file. Where that fails, as on a full disk, the file gets back what it held. */
function writeInPlace(path: string, bytes: Uint8Array): void {
  const before = readFileSync(path);
  const file = openSync(path, "r+");
  const write = (all: Uint8Array): void => {
    for (let at = 0; at < all.length; ) at += writeSync(file, all, at, all.length - at, at);
    ftruncateSync(file, all.length);
    fsyncSync(file);
  };
  try {
    write(bytes);
  } catch (fault) {
    write(before);
    throw fault;
  } finally {
    closeSync(file);
  }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (fault) {
    if (codeOf(fault) === "") throw fault;
    return false;
  }
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && "code" in fault ? String(fault.code) : "";
}

/** A text that changes with every change of the file, or says why it cannot be looked at. */
export function versionOfFile(path: string): string {
  try {
    // A missing file is the usual case: an error made for it would cost more than the rest of a verdict.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeNs}`;
  } catch (error) {
    return describeError(error);
  }
}
