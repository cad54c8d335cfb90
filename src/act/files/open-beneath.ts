import { constants, type Stats } from "node:fs";
import { chmod, type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { bytesOfPath } from "./byte-names.ts";
import { errorCode } from "./fallible.ts";

/** A folder that is held open. */
export type HeldFolder = AsyncDisposable & {
  /**
   * The path to a name in this folder; without a name, to the folder itself. It goes through the descriptor,
   * so that no link that appears above has an effect.
   */
  readonly at: (name?: string) => string;
};

/** Thrown where a link, or a file, is in the way to what was to be opened. */
export class LeadsElsewhere extends Error {}

/** Linux's `O_PATH`, which Node does not name: it needs no right to read the folder. */
const onlyPath = 0o10000000;
const unfollowed = constants.O_NOFOLLOW | (process.platform === "linux" ? onlyPath : 0);
const step = constants.O_DIRECTORY | unfollowed;

/**
 * Opens a folder below another one by descriptor, name by name, and follows no link on the way: it is below
 * `start`, whatever became of the names. `inside` is relative; empty for the folder itself. (Linux's
 * `openat2` with `RESOLVE_BENEATH`, which Node cannot call.)
 */
export async function openFolderBeneath(start: string, inside: string): Promise<HeldFolder> {
  let folder = await open(bytesOfPath(start), step);
  try {
    for (const name of inside.split("/").filter((each) => each !== "")) {
      if (name === "." || name === "..") throw new LeadsElsewhere(`${name} is no name of a folder`);
      const next = await open(bytesOfPath(`${pathOf(folder)}/${name}`), step).catch((fault: unknown) => {
        if (!["ENOTDIR", "ELOOP"].includes(errorCode(fault))) throw fault;
        throw new LeadsElsewhere(`${name} in ${start}/${inside} is no folder`, { cause: fault });
      });
      await folder.close();
      folder = next;
    }
  } catch (fault) {
    await folder.close();
    throw fault;
  }
  const held = folder;
  return {
    at: (name = "") => `${pathOf(held)}/${name}`,
    [Symbol.asyncDispose]: () => held.close(),
  };
}

/** A file or folder that is held by itself, whatever its name leads to by now. */
export type HeldEntry = AsyncDisposable & {
  readonly status: Stats;
  readonly chmod: (mode: number) => Promise<void>;
};

/**
 * Opens an entry below a folder for its permissions alone, and follows no link on the way, nor at its end.
 */
export async function holdBeneath(start: string, inside: string): Promise<HeldEntry> {
  const above = dirname(inside);
  await using folder = await openFolderBeneath(start, above === "." ? "" : above);
  const handle = await open(bytesOfPath(folder.at(basename(inside))), unfollowed);
  try {
    return {
      status: await handle.stat(),
      chmod: (mode) => chmod(pathOf(handle), mode),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (fault) {
    await handle.close();
    throw fault;
  }
}

function pathOf(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}`;
}
