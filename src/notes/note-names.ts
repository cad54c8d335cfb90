/** The kinds of names in the notes folder. */
export type NameKind =
  | "note"
  | "folder-or-other"
  | "hidden"
  | "lock"
  | "autosave"
  | "backup"
  | "conflict"
  | "encrypted";

/** True for the name of a file that is indexed as notes. */
export function isNoteName(name: string): boolean {
  return /\.org(?:_archive)?$/.test(name);
}

/** Classifies a directory entry by its name: Emacs's locks (`.#f`), autosaves (`#f#`) and backups (`f~`), Syncthing's conflicts, encrypted files, hidden files, notes. */
export function classifyName(name: string): NameKind {
  if (name.startsWith(".#")) return "lock";
  if (name.startsWith(".")) return "hidden";
  if (name.startsWith("#") && name.endsWith("#")) return "autosave";
  if (name.endsWith("~")) return "backup";
  if (name.includes(".sync-conflict-")) return "conflict";
  if (name.endsWith(".gpg")) return "encrypted";
  return isNoteName(name) ? "note" : "folder-or-other";
}
