import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { lockFolder } from "./folder-lock.ts";
import { describeLock, lockPathOf, readLock } from "./locks/lock-file.ts";
import { openFolder } from "./open-file.ts";
import { entryIfThere } from "./status-if-there.ts";

/**
 * Locks the folders of Org files against whoever else writes notes there, other agents too, while files or
 * folders at some paths are exchanged. Gives the reason where a folder cannot be locked, or where an editor
 * has unsaved changes of one of the files.
 */
export async function lockNotes(paths: readonly string[]): Promise<AsyncDisposable | string> {
  await using stack = new AsyncDisposableStack();
  const folders = new Set(paths.filter((path) => path.endsWith(".org")).map((path) => dirname(path)));
  for (const path of [...folders].sort()) {
    const folder = await openFolder(path);
    if (!folder.ok) return folder.message;
    stack.use(folder.value);
    const locked = await lockFolder(folder.value);
    if (!locked.ok) return locked.message;
    stack.use(locked.value);
  }
  for (const path of paths) {
    const edited = await findEdited(path);
    if (edited !== null) return `${edited}. Save or revert it, then try again.`;
  }
  return stack.move();
}

/** The first file at or below a path of which an editor has unsaved changes, in words; null for none. */
async function findEdited(path: string): Promise<string | null> {
  const isFolder = (await entryIfThere(path))?.isDirectory() === true;
  const below = isFolder ? await readdir(path, { recursive: true }) : [];
  const locks = below.filter((name) => basename(name).startsWith(".#")).map((name) => join(path, name));
  for (const lockPath of [lockPathOf(path), ...locks]) {
    const lock = await readLock(lockPath);
    const file = join(dirname(lockPath), basename(lockPath).slice(2));
    if (lock !== null) return describeLock(file, lock);
  }
  return null;
}
