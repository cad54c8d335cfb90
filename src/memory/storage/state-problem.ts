import { accessSync, constants, readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { PassepartoutError } from "../../signal/failure.ts";
import { describeForeignOwner } from "./foreign-owner.ts";
import { databaseFiles, findMisplaced } from "./misplaced-file.ts";

/** The problems of a state folder. */
export type StateProblemCode =
  | "locked"
  | "newer-version"
  | "older-version"
  | "failed-migration"
  | "damaged-database"
  | "damaged-journal"
  | "unwritable"
  | "full-disk"
  | "missing";

/** Thrown where the state cannot be opened or written. The message says what happened, to what, and what to do next. Nothing damaged was changed. */
export class StateProblem extends PassepartoutError {
  override readonly name = "StateProblem";
  readonly code: StateProblemCode;
  constructor(code: StateProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A fault of SQLite or of the file system as a `StateProblem`, if a person can mend it; else the fault itself. */
export function explainFault(error: unknown, path: string): Error {
  if (error instanceof StateProblem) return error;
  const found = faultOf(error);
  const fault = found === "unwritable" && isOnReadOnlyDisk(path) ? "read-only" : found;
  const misplaced = mayBeMisplaced(error) ? databaseFiles(path).map(findMisplaced).find(isThere) : undefined;
  if (misplaced !== undefined)
    return new StateProblem("unwritable", `${misplaced}, then try again.`, { cause: error });
  const limited = limitedBy(error, path);
  if (limited !== null) return limited;
  switch (fault) {
    case "full":
      return new StateProblem(
        "full-disk",
        `No room is left on the disk of ${path}, so nothing more was written there. Free some space, then try again.`,
        { cause: error },
      );
    case "unwritable":
      return new StateProblem(
        "unwritable",
        describeForeignOwner(path) ??
          `${path} cannot be written. Give your user the right to write there, or name another state folder.`,
        { cause: error },
      );
    case "read-only":
      return new StateProblem(
        "unwritable",
        `${path} cannot be written: its disk is read-only. Mount it writable, or name another state folder.`,
        { cause: error },
      );
    case "damaged":
      return new StateProblem(
        "damaged-database",
        `The database ${path} is damaged. It was left as it is. Restore it from a backup, or move its folder aside to start with an empty state.`,
        { cause: error },
      );
    case "too-many-open":
      return new StateProblem(
        "unwritable",
        `${path} cannot be opened, since too many files are open. Close some programs, or raise the limit (ulimit -n 1024), then try again.`,
        { cause: error },
      );
    case "failing":
      return new StateProblem(
        "unwritable",
        `The disk of ${path} failed a read or a write, so nothing more was written there. Check the disk and your quota on it, then try again.`,
        { cause: error },
      );
    case "busy":
      return new StateProblem(
        "locked",
        `${path} is in use by another process. Stop that process, then try again.`,
        { cause: error },
      );
    case "other":
      return error instanceof Error ? error : new Error(`${path}: ${String(error)}`);
  }
}

/** Whether the disk refuses what the rights of files allow; for the nearest folder that is there. */
function isOnReadOnlyDisk(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "ENOENT") return code === "EROFS";
    return path !== dirname(path) && isOnReadOnlyDisk(dirname(path));
  }
}

/** The limit on the size of files, where a fault is one of a file that it stopped; else null. */
function limitedBy(error: unknown, path: string): StateProblem | null {
  const limit = mayBeLimited(error) ? findSizeLimit(path) : null;
  if (limit === null) return null;
  const size = Math.floor(limit / 1024);
  return new StateProblem(
    "full-disk",
    `${path} could not be written: no file may be larger than ${size} kB here (ulimit -f). Raise that limit, then try again.`,
    { cause: error },
  );
}

/** Whether a fault is one of a file that could not grow. */
function mayBeLimited(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return faultOf(error) === "full" || error.errcode === failedWrite;
  return "code" in error && error.code === "EFBIG";
}

/**
 * Bytes that no file of this process may exceed, where it is that and no full disk that stops a write; else
 * null.
 */
function findSizeLimit(path: string): number | null {
  if (process.platform !== "linux") return null;
  const [, limit] = /^Max file size +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  if (limit === undefined) return null;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize > leastRoom ? Number(limit) : null;
}

/** Bytes that are free on a disk on which a write to the state finds room. */
const leastRoom = 1_048_576;

type Fault = "full" | "unwritable" | "read-only" | "damaged" | "too-many-open" | "failing" | "busy" | "other";

/** True for a fault that something else in the place of a file may cause. SQLite does not tell which of its files it cannot open or read. */
function mayBeMisplaced(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return ["unwritable", "failing"].includes(faultOf(error));
  return "code" in error && (error.code === "EISDIR" || error.code === "ERR_FS_EISDIR");
}

function isThere<Value>(value: Value | null): value is Value {
  return value !== null;
}

/** SQLite's extended result codes that say more than their primary code: no room for the index of the write-ahead log. */
const extendedFaults: ReadonlyMap<number, Fault> = new Map([[4874, "full"]]);
/** SQLite's extended result code for a write that the system refused otherwise than for want of room. */
const failedWrite = 778;
/** SQLite's primary result codes (https://sqlite.org/rescode.html); extended codes hold them in their low byte. */
const sqliteFaults: ReadonlyMap<number, Fault> = new Map([
  [5, "busy"],
  [6, "busy"],
  [8, "unwritable"],
  [10, "failing"],
  [11, "damaged"],
  [13, "full"],
  [14, "unwritable"],
  [26, "damaged"],
]);
const systemFaults: ReadonlyMap<string, Fault> = new Map([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EFBIG", "full"],
  ["EACCES", "unwritable"],
  ["EPERM", "unwritable"],
  ["EROFS", "unwritable"],
  ["ENOTDIR", "unwritable"],
  ["ENOENT", "unwritable"],
  ["EEXIST", "unwritable"],
  ["EISDIR", "unwritable"],
  ["ERR_FS_EISDIR", "unwritable"],
  ["EMFILE", "too-many-open"],
  ["ENFILE", "too-many-open"],
  ["EIO", "failing"],
]);

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return "other";
  if ("errcode" in error && typeof error.errcode === "number") {
    return extendedFaults.get(error.errcode) ?? sqliteFaults.get(error.errcode & 0xff) ?? "other";
  }
  if ("code" in error && typeof error.code === "string") return systemFaults.get(error.code) ?? "other";
  return "other";
}
