import { existsSync, statSync } from "node:fs";
import { relative } from "node:path";
import { isInside } from "../text/is-inside.ts";
import { pushAll } from "../text/lists.ts";
import { problemOfPath } from "./manifest.ts";
import type { Collected, Omitted, Source } from "./sources.ts";
import { walkFiles } from "./walk-files.ts";

/** Collects all files of the notes folders, with those that are no notes. `without` are folders and files that are left out: our own. */
export function collectNotes(folders: readonly string[], without: readonly string[]): Collected {
  const sources: Source[] = [];
  const omitted: Omitted[] = [];
  for (const [number, folder] of folders.entries()) {
    if (!existsSync(folder)) continue;
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
      const problem = status === undefined ? "it was removed meanwhile" : problemOfPath(path, folders.length);
      if (problem !== null) omitted.push({ path, why: problem });
      else if (status !== undefined) sources.push(sourceOf(path, from, status));
    }
  }
  return { sources, omitted };
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
