import { lstatSync } from "node:fs";

/** Says that something else is where a file belongs; null where a regular file or nothing is. */
export function findMisplaced(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return null;
  const what = found.isDirectory() ? "a folder" : "not a regular file";
  return `${path} is ${what}, and a file belongs there. Move it aside`;
}

/** A database and the files that SQLite keeps beside it. */
export function databaseFiles(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`];
}
