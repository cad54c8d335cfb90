import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";

/** Opens the file of a redirection by its judged real path, or by another way to it. Checks by the descriptor that it is that file before anything is read or truncated. */
export async function openRedirect(path: string, op: "<" | ">" | ">>", via = path): Promise<FileHandle> {
  const flags =
    op === "<"
      ? constants.O_RDONLY
      : constants.O_WRONLY | constants.O_CREAT | (op === ">>" ? constants.O_APPEND : 0);
  const file = await open(via, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
  try {
    const status = await file.stat();
    const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
    if (opened !== null && opened !== path)
      throw new Error(`${path} leads elsewhere than when it was judged`);
    if (!status.isFile() && path !== "/dev/null") throw new Error(`${path} is not an ordinary file`);
    if (op === ">" && status.isFile()) await file.truncate(0);
    return file;
  } catch (fault) {
    await file.close();
    throw fault;
  }
}
