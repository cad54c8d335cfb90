import { existsSync, statSync } from "node:fs";
import { relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { BackupProblem } from "./backup-problem.ts";
import { canRead } from "./can-read.ts";
import { problemOfPath } from "./manifest.ts";
import type { Collected, Omitted, Source } from "./sources.ts";
import { walkFiles } from "./walk-files.ts";

/** A notes folder; the usual one need not be there yet. */
type NotesFolder = { readonly path: string; readonly isUsual: boolean };

/**
 * Collects all files of the notes folders, with those that are no notes. `without` are folders and files that
 * are left out: our own. What cannot be read is left out and named. Throws a `BackupProblem` where a whole
 * folder cannot be read, or is not there though it was named.
 */
export function collectNotes(folders: readonly NotesFolder[], without: readonly string[]): Collected {
  const sources: Source[] = [];
  const omitted: Omitted[] = [];
  for (const [number, { path: folder, isUsual }] of folders.entries()) {
    if (isUsual && !existsSync(folder)) {
      omitted.push({ path: `notes/${number}`, why: `${folder} is not there` });
      continue;
    }
    requireReadable(folder);
    const skip = (path: string): boolean => without.some((own) => isInside(own, path));
    const { files, others } = walkFiles(folder, skip);
    const nameOf = (path: string): string => `notes/${number}/${relative(folder, path)}`;
    pushAll(
      omitted,
      others.map(({ path, what }) => ({ path: nameOf(path), why: `it is ${what}` })),
    );
    for (const from of files) {
      const path = nameOf(from);
      const status = statSync(from, { throwIfNoEntry: false });
      if (status === undefined) {
        omitted.push({ path, why: "it was removed meanwhile" });
        continue;
      }
      const why = problemOfPath(path, folders.length) ?? (canRead(from) ? null : "it cannot be read");
      if (why === null) sources.push(sourceOf(path, from, status));
      else omitted.push({ path, why });
    }
  }
  return { sources, omitted };
}

function requireReadable(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  const what =
    found === undefined ? "is not there" : !found.isDirectory() ? "is no folder" : "cannot be read";
  if (found?.isDirectory() === true && canRead(folder)) return;
  throw new BackupProblem(
    `The notes folder ${folder} ${what}. No backup was made. Mount its disk, correct its owner or mode, or take it out of MEMEX_DIR; or make one without --notes.`,
  );
}

function sourceOf(path: string, from: string, status: ReturnType<typeof statSync> & object): Source {
  const { size, mode, mtimeMs } = status;
  return {
    path,
    from,
    size: Number(size),
    mode: Number(mode) & 0o777,
    modified: Math.round(Number(mtimeMs)),
  };
}
