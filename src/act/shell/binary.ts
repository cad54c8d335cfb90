import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { systemFolders, systemPath } from "../../text/system-programs.ts";
import { showsOwnProcess } from "../files/kernel-files.ts";

/** A program file as it was when it was judged. `path` is run; `real` is the file that it leads to. */
export type Binary = {
  readonly path: string;
  readonly real: string;
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** Unix milliseconds. */
  readonly modified: number;
  /** When its bytes or attributes were changed, in Unix milliseconds. No program can set this time. */
  readonly changed: number;
};

/** A program file, and whose it is: `shadowed` where a folder of the search path has it before the system's own, `absent` where it is not installed. */
export type FoundProgram = {
  readonly binary: Binary | null;
  readonly identity: "trusted" | "shadowed" | "absent";
};

/** Looks a program up, and compares it with the system's own program of that name. */
export async function findProgram(program: string, searchPath: string, cwd: string): Promise<FoundProgram> {
  const binary = await findBinary(program, searchPath, cwd);
  if (binary === null) return { binary, identity: "absent" };
  if (program.includes("/") || systemFolders.includes(dirname(binary.path)))
    return { binary, identity: "trusted" };
  const own = await findBinary(program, systemPath, cwd);
  return { binary, identity: own === null || own.real === binary.real ? "trusted" : "shadowed" };
}

/** Looks a program up as `execvp` does, in `searchPath` (colon-separated; relative entries are skipped). Null if it is not installed. */
async function findBinary(program: string, searchPath: string, cwd: string): Promise<Binary | null> {
  const candidates = program.includes("/")
    ? [resolve(cwd, program)]
    : searchPath
        .split(":")
        .filter(isAbsolute)
        .map((folder) => join(folder, program));
  for (const path of candidates) {
    const found = await identify(path);
    // What `/proc/self/exe` names depends on who looks.
    if (found !== null && !(await showsOwnProcess(dirname(path)))) return found;
  }
  return null;
}

/** True if the path still leads to the same, unchanged file. */
export async function isBinaryUnchanged(binary: Binary): Promise<boolean> {
  const now = await identify(binary.path);
  return (
    now !== null &&
    now.real === binary.real &&
    now.device === binary.device &&
    now.inode === binary.inode &&
    now.size === binary.size &&
    now.modified === binary.modified &&
    now.changed === binary.changed
  );
}

async function identify(path: string): Promise<Binary | null> {
  try {
    const [real, status] = await Promise.all([realpath(path), stat(path), access(path, constants.X_OK)]);
    if (!status.isFile()) return null;
    return {
      path,
      real,
      device: status.dev,
      inode: status.ino,
      size: status.size,
      modified: status.mtimeMs,
      changed: status.ctimeMs,
    };
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return null;
    throw fault;
  }
}
