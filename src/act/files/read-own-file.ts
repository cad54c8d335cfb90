import { lstat, realpath } from "node:fs/promises";
import { type FileContents, readWholeFile } from "./contents.ts";
import { catchFileErrors, done, errorCode, type Fallible, problem } from "./fallible.ts";

/**
 * Reads a whole file of the owner's settings; null if there is none. It, or a folder above it, may be a link,
 * as into a repository of dotfiles. A link that leads nowhere is a problem: its disk may not be mounted.
 */
export async function readOwnFile(path: string, largest?: number): Promise<Fallible<FileContents | null>> {
  return await catchFileErrors(path, async () => {
    const real = await realpathIfThere(path);
    if (real !== null) return await readWholeFile(real, largest);
    return (await isThere(path)) ? problem("dead-link", `${path}: ${deadLink}`) : done(null);
  });
}

/** What is said of a link whose target is not there. */
export const deadLink = "it is a link that leads nowhere. Mount the disk of its target, or remove the link.";

function realpathIfThere(path: string): Promise<string | null> {
  return realpath(path).catch(nullIfMissing);
}

/** Whether there is an entry at a path, also a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullIfMissing)) !== null;
}

function nullIfMissing(fault: unknown): null {
  if (errorCode(fault) === "ENOENT") return null;
  throw fault;
}
