import { relative } from "node:path";
import { isSystemFault } from "../files/fallible.ts";
import { type HeldEntry, holdBeneath, LeadsElsewhere } from "../files/open-beneath.ts";
import { findLaterPaths, type LaterPaths, unreadable } from "./later-paths.ts";

/** What is executed later in a workspace; folders that were opened for the look are closed again with it. */
export type ClosedFoldersLook = AsyncDisposable & { readonly found: LaterPaths };

/** Folders that are opened for one look. What is closed beyond them counts as a whole. */
const mostOpened = 100;

/**
 * Finds what is executed later in a workspace after a line, also in folders that the line closed to its own
 * user: these are opened to their owner for the look. What belongs to somebody else stays closed.
 */
export async function lookIntoClosed(
  workspace: string,
  isOfLine: (path: string) => Promise<boolean>,
): Promise<ClosedFoldersLook> {
  const tried = new Set<string>();
  const opened: HeldEntry[] = [];
  const close = async (): Promise<void> => {
    const faults: unknown[] = [];
    for (const folder of opened) {
      await folder.chmod(folder.status.mode & 0o7777).catch((fault: unknown) => faults.push(fault));
      await folder[Symbol.asyncDispose]();
    }
    if (faults.length > 0) throw faults[0];
  };
  for (;;) {
    const found = await findLaterPaths(workspace, Number.POSITIVE_INFINITY);
    const closed = [...found.named].filter(([path, { why }]) => why === unreadable && !tried.has(path));
    const before = opened.length;
    for (const [path] of closed) {
      tried.add(path);
      const folder =
        opened.length < mostOpened && (await isOfLine(path)) ? await openClosed(workspace, path) : null;
      if (folder !== null) opened.push(folder);
    }
    if (opened.length === before) return { found, [Symbol.asyncDispose]: close };
  }
}

/** Opens a folder to its owner, by itself and not by its name; null for one that this user cannot open. */
async function openClosed(workspace: string, path: string): Promise<HeldEntry | null> {
  try {
    const folder = await holdBeneath(workspace, relative(workspace, path));
    if (folder.status.isDirectory()) {
      await folder.chmod((folder.status.mode & 0o7777) | 0o700);
      return folder;
    }
    await folder[Symbol.asyncDispose]();
    return null;
  } catch (fault) {
    if (!isSystemFault(fault) && !(fault instanceof LeadsElsewhere)) throw fault;
    return null;
  }
}
