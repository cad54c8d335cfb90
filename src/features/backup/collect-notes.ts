import { existsSync, realpathSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { resolveLinks } from "../../settings/user-folders.ts";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { BackupProblem } from "./backup-problem.ts";
import { canRead } from "./can-read.ts";
import { type ManifestFolder, problemOfPath } from "./manifest.ts";
import type { Collected, Omitted, Source } from "./sources.ts";
import { walkFiles, whyGone } from "./walk-files.ts";

/** A notes folder; the usual one need not be there yet. */
type NotesFolder = { readonly path: string; readonly isUsual: boolean };

/**
 * Collects all files and folders of the notes folders, with those that are no notes. `without` are folders
 * and files that are left out: our own. What cannot be read is left out and named. Throws a `BackupProblem`
 * where a whole folder cannot be read, or is not there though it was named.
 */
export function collectNotes(folders: readonly NotesFolder[], without: readonly string[]): Collected {
  const sources: Source[] = [];
  const omitted: Omitted[] = [];
  const inside: ManifestFolder[] = [];
  const left = without.map(resolveLinks);
  for (const [number, { path: named, isUsual }] of folders.entries()) {
    if (isUsual && !existsSync(named)) {
      omitted.push({ path: `notes/${number}`, why: `${named} is not there` });
      continue;
    }
    requireReadable(named);
    const folder = realpathSync(named);
    const skip = (path: string): boolean => left.some((own) => isInside(own, path));
    const { files, others, folders: walked } = walkFiles(folder, { skip });
    const nameOf = (path: string): string => join(`notes/${number}`, relative(folder, path));
    for (const path of walked)
      if (problemOfPath(`${nameOf(path)}/file`, folders.length) === null)
        pushAll(inside, folderOf(nameOf(path), path));
    pushAll(
      omitted,
      others.map(({ path, what }) => ({ path: nameOf(path), why: `it is ${what}` })),
    );
    for (const from of files) {
      const path = nameOf(from);
      const status = statSync(from, { throwIfNoEntry: false });
      if (status === undefined) {
        omitted.push({ path, why: whyGone(path) });
        continue;
      }
      const why = problemOfPath(path, folders.length) ?? (canRead(from) ? null : "it cannot be read");
      if (why === null) sources.push(sourceOf(path, from, status));
      else omitted.push({ path, why });
    }
  }
  return { sources, omitted, folders: inside };
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

/** Nothing of a folder that was removed meanwhile. */
function folderOf(path: string, from: string): readonly ManifestFolder[] {
  const status = statSync(from, { throwIfNoEntry: false });
  if (status === undefined) return [];
  const { mode, mtimeMs, uid, gid } = status;
  return [{ path, mode: mode & 0o3777, modified: Math.round(mtimeMs), owner: uid, group: gid }];
}

function sourceOf(path: string, from: string, status: ReturnType<typeof statSync> & object): Source {
  const { size, mode, mtimeMs, uid, gid } = status;
  return {
    path,
    from,
    size: Number(size),
    mode: Number(mode) & 0o777,
    modified: Math.round(Number(mtimeMs)),
    owner: Number(uid),
    group: Number(gid),
  };
}
