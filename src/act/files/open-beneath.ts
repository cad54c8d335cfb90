import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
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
const step = constants.O_DIRECTORY | constants.O_NOFOLLOW | (process.platform === "linux" ? onlyPath : 0);

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

function pathOf(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}`;
}
