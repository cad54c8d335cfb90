import { lstatSync, type Stats } from "node:fs";

/** Says that something else is where a file belongs; null where a regular file or nothing is, or where that cannot be seen. */
export function findMisplaced(path: string): string | null {
  const found = look(path);
  if (found === null || found.isFile()) return null;
  const what = found.isDirectory() ? "a folder" : "not a regular file";
  return `${path} is ${what}, and a file belongs there. Move it aside`;
}

/** Null for what is not there, and for what lies in no folder that can be entered. */
function look(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOTDIR" || code === "EACCES") return null;
    throw error;
  }
}

/** A database and the files that SQLite keeps beside it. */
export function databaseFiles(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`];
}
