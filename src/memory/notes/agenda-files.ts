import { basename, dirname, join } from "node:path";

/**
 * Tells which notes are on the agenda, as Emacs's `org-agenda-files` does: the files that are named, and those right in a folder that is named. All notes are
 * where nothing is named. `folder` and `named` are real paths; the path of a note is relative to the folder.
 */
export function agendaFileFilter(folder: string, named: readonly string[]): (path: string) => boolean {
  if (named.length === 0) return () => true;
  const all = new Set(named);
  return (path) => {
    const note = join(folder, path);
    return all.has(note) || (all.has(dirname(note)) && /^[^.].*\.org$/.test(basename(note)));
  };
}
