import { basename, dirname } from "node:path";
import { type NotesFolders, pathOfNote } from "./folder/notes-folders.ts";

/**
 * Tells which notes are on the agenda, as Emacs's `org-agenda-files` does: the files that are named, and those right in a folder that is named. All notes are
 * where nothing is named. The folders and `named` are real paths.
 */
export function agendaFileFilter(place: NotesFolders, named: readonly string[]): (path: string) => boolean {
  if (named.length === 0) return () => true;
  const all = new Set(named);
  return (path) => {
    const note = pathOfNote(place, path);
    return all.has(note) || (all.has(dirname(note)) && /^[^.].*\.org$/.test(basename(note)));
  };
}
