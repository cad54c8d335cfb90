import { relative, resolve } from "node:path";
import { isInside } from "../../../text/is-inside.ts";

/** The folders of the notes, as absolute paths. New notes go into the first. */
export type NotesFolders = { readonly folder: string; readonly otherFolders?: readonly string[] };

/** The link that leads nowhere by which the owner names a notes folder now. Default: there is none. */
export type DeadLinks = { readonly deadLink?: (folder: string) => string | null };

/** All folders of the notes, the first one first. */
export function foldersOf({ folder, otherFolders = [] }: NotesFolders): readonly string[] {
  return [folder, ...otherFolders];
}

/**
 * The name of a file or folder of the notes: its path relative to the first folder, such as `plan.org` or `../office/plan.org`, and the absolute path where the
 * two have only `/` in common.
 */
export function noteName({ folder }: NotesFolders, path: string): string {
  const name = relative(folder, path);
  const [top = ""] = folder.split("/", 2).slice(1);
  return isInside(`/${top}`, path) ? name : path;
}

/** The name of an entry of a folder that has a name. Above the first folder, the way down to it shortens the name. */
export function nameInside(place: NotesFolders, within: string, entry: string): string {
  if (within === "") return entry;
  const name = `${within}/${entry}`;
  return within.endsWith("..") ? noteName(place, pathOfNote(place, name)) : name;
}

/** The absolute path that `noteName` gave a name. */
export function pathOfNote({ folder }: NotesFolders, name: string): string {
  return resolve(folder, name);
}

/** The innermost of some folders that a path is in; null where it is in none. */
export function innermostFolder(folders: readonly string[], path: string): string | null {
  const around = folders.filter((folder) => isInside(folder, path));
  return around.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** The folder that a note belongs to: the innermost one around it. Null for the name of a note whose folder is no longer one of the notes. */
export function folderOfNote(folders: NotesFolders, name: string): string | null {
  return innermostFolder(foldersOf(folders), pathOfNote(folders, name));
}
