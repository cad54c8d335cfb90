import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { errorCode } from "../files/fallible.ts";
import { type HeldFolder, LeadsElsewhere, openFolderBeneath } from "../files/open-beneath.ts";

/** Opens the folder around a file by its judged real path, following no link. */
export type OpenParent = (folder: string) => Promise<HeldFolder>;

/** Follows no link from the root of the file system. */
export const openFromRoot: OpenParent = (folder) => openFolderBeneath("/", folder);

/**
 * Opens the file of a redirection by its judged real path, below a folder that `openParent` holds. No link
 * is followed on the way: nothing is made, read or emptied but that file.
 */
export async function openRedirect(
  path: string,
  op: "<" | ">" | ">>",
  openParent = openFromRoot,
): Promise<FileHandle> {
  const flags =
    op === "<"
      ? constants.O_RDONLY
      : constants.O_WRONLY | constants.O_CREAT | (op === ">>" ? constants.O_APPEND : 0);
  const file = await openJudged(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, openParent);
  try {
    const status = await file.stat();
    if (!status.isFile() && path !== "/dev/null") throw new Error(`${path} is not an ordinary file`);
    if (op === ">" && status.isFile()) await file.truncate(0);
    return file;
  } catch (fault) {
    await file.close();
    throw fault;
  }
}

async function openJudged(path: string, flags: number, openParent: OpenParent): Promise<FileHandle> {
  // Only Linux names open folders, and only there programs are confined.
  if (process.platform !== "linux") return open(path, flags, 0o666);
  try {
    await using folder = await openParent(dirname(path));
    return await open(folder.at(basename(path)), flags, 0o666);
  } catch (fault) {
    if (!(fault instanceof LeadsElsewhere) && errorCode(fault) !== "ELOOP") throw named(fault, path);
    throw new Error(`${path} leads elsewhere than when it was judged`, { cause: fault });
  }
}

/** The fault of a call, with the path that was meant and not the descriptor. */
function named(fault: unknown, path: string): unknown {
  const code = errorCode(fault);
  if (!(fault instanceof Error) || code === "") return fault;
  const [said = code] = fault.message.split(", open ");
  return new Error(`${said}, open '${path}'`, { cause: fault });
}
