import { chmod, type FileHandle, lstat, open } from "node:fs/promises";
import { bytesOfPath } from "../files/byte-names.ts";
import { isSystemFault } from "../files/fallible.ts";
import { findLaterPaths, type LaterPaths, unreadable } from "./later-paths.ts";

/** What is executed later in a workspace; folders that were opened for the look are closed again with it. */
export type ClosedFoldersLook = AsyncDisposable & { readonly found: LaterPaths };

/**
 * Finds what is executed later in a workspace after a line, also in folders that the line closed to its own
 * user: these are opened to their owner for the look. What belongs to somebody else stays closed.
 */
export async function lookIntoClosed(
  workspace: string,
  isOfLine: (path: string) => Promise<boolean>,
): Promise<ClosedFoldersLook> {
  const tried = new Set<string>();
  const opened: OpenedFolder[] = [];
  const close = async (): Promise<void> => {
    for (const { handle, mode } of opened) {
      await handle.chmod(mode);
      await handle.close();
    }
  };
  for (;;) {
    const found = await findLaterPaths(workspace, Number.POSITIVE_INFINITY);
    const closed = [...found.named].filter(([path, { why }]) => why === unreadable && !tried.has(path));
    const before = opened.length;
    for (const [path] of closed) {
      tried.add(path);
      const folder = (await isOfLine(path)) ? await openClosed(path) : null;
      if (folder !== null) opened.push(folder);
    }
    if (opened.length === before) return { found, [Symbol.asyncDispose]: close };
  }
}

/** A folder that was opened, and the permissions that it has otherwise. */
type OpenedFolder = { readonly handle: FileHandle; readonly mode: number };

/** Null for a folder that this user cannot open. */
async function openClosed(path: string): Promise<OpenedFolder | null> {
  const place = bytesOfPath(path);
  try {
    const status = await lstat(place);
    if (!status.isDirectory()) return null;
    const mode = status.mode & 0o7777;
    await chmod(place, mode | 0o700);
    return { handle: await open(place, "r"), mode };
  } catch (fault) {
    if (!isSystemFault(fault)) throw fault;
    return null;
  }
}
