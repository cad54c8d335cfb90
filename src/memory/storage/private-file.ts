import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { explainFault, StateProblem } from "./state-problem.ts";

/** Makes a folder that only its owner can enter, or takes the rights of others from an existing one. Faults are explained. */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolders(folder);
    const found = statSync(folder);
    if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (error) {
    throw explainFault(error, folder);
  }
}

/** Makes a folder and its parents one by one: Node's own recursion never ends on a file system that refuses, such as /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
}

/**
 * Makes an empty file of mode 0600 if there is none, and forces its name to disk; returns true if it was made.
 * An existing file is not even opened: closing it would drop this process's SQLite locks on it (POSIX locks belong to the process).
 */
export function createPrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (isCode(error, "EEXIST")) {
      if (statSync(path).isFile()) return false;
      throw new StateProblem(
        "unwritable",
        `${path} is not a file. Move it aside, or name another state folder.`,
        {
          cause: error,
        },
      );
    }
    throw explainFault(error, path);
  }
  syncPath(dirname(path));
  return true;
}

/** Forces a file's contents, or the names in a folder, to disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether an error is a fault of the system with this code, such as `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
