import { type FSWatcher, lstatSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { classifyName } from "../nodes/note-names.ts";

/**
 * A change in the notes folder: a note was written or deleted, a lock appeared or disappeared, another file changed, which notes may name as their setup
 * file, or something else changed that needs a scan of the whole folder.
 */
export type NotesEvent =
  | { readonly kind: "note"; readonly path: string }
  | { readonly kind: "lock"; readonly path: string }
  | { readonly kind: "other-file"; readonly path: string }
  | { readonly kind: "anything" };

/** Watches a set of folders, with one watch for each folder. */
export type NotesWatcher = {
  /** Watches these subfolders of the notes folder, or the folder above it for null, where the notes folder does not exist. True if some were not watched before. */
  readonly watchFolders: (folders: readonly string[] | null) => boolean;
  /** Why nothing is watched, for the owner; null while the folders are watched. */
  readonly problem: () => string | null;
  /** True if another folder is in the place of the notes folder, for example a mounted disk or the new target of a link. A watch does not report that. */
  readonly isReplaced: () => boolean;
  readonly close: () => void;
};

/** Watches the notes folder without timers. `touched` is called for each event at once, so it is called often. */
export function watchNotes(folder: string, touched: (touch: NotesEvent) => void): NotesWatcher {
  const watches = new Map<string, Watched>();
  const state: { problem: string | null } = { problem: null };
  const fail = (error: unknown): void => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM") return;
    state.problem =
      code === "ENOSPC" || code === "EMFILE"
        ? tooMany(code)
        : `Changes of notes cannot be watched (${code}), so they are noticed at the next heartbeat only.`;
    closeAll(watches);
  };
  const open = (place: string, heard: (name: string | null) => void): boolean => {
    const identity = identityOf(place);
    if (watches.get(place)?.identity === identity) return false;
    watches.get(place)?.watcher.close();
    try {
      const watcher = watch(place, { persistent: false }, (_event, name) => heard(name));
      watcher.on("error", (error) => {
        watcher.close();
        watches.delete(place);
        fail(error);
      });
      watches.set(place, { watcher, identity });
    } catch (error) {
      fail(error);
    }
    return true;
  };
  return {
    watchFolders(folders) {
      state.problem = null;
      const wanted = new Map<string, string | null>(
        folders === null ? [[nearestAbove(folder), null]] : folders.map((path) => [join(folder, path), path]),
      );
      for (const [place, { watcher }] of watches) {
        if (wanted.has(place)) continue;
        watcher.close();
        watches.delete(place);
      }
      let added = false;
      for (const [place, path] of wanted) {
        if (state.problem !== null) break;
        const isNew = open(place, (name) => {
          const wasFolder = (other: string): boolean => watches.has(join(folder, other));
          const touch = path === null ? anything : touchOrAnything({ folder, within: path, name, wasFolder });
          if (touch !== null) touched(touch);
        });
        added ||= isNew;
      }
      return added && folders !== null && state.problem === null;
    },
    problem: () => state.problem,
    isReplaced() {
      const watched = watches.get(join(folder, ""));
      return watched !== undefined && watched.identity !== identityOf(folder);
    },
    close: () => closeAll(watches),
  };
}

type Watched = { readonly watcher: FSWatcher; readonly identity: string | null };

/** Identifies a folder, so that another one in its place is noticed. */
function identityOf(place: string): string | null {
  try {
    const { dev, ino } = statSync(place, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    // It is gone or cannot be looked at: another one than before. The scan reports why.
    return null;
  }
}

function closeAll(watches: Map<string, Watched>): void {
  for (const { watcher } of watches.values()) watcher.close();
  watches.clear();
}

function tooMany(code: string): string {
  return `The system allows no more watches (${code}), so changes of notes are noticed at the next heartbeat only. Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances.`;
}

const anything: NotesEvent = { kind: "anything" };

type Touched = {
  readonly folder: string;
  readonly within: string;
  readonly name: string | null;
  /** True for a path that was a folder at the last scan: a folder may have the name of a note. */
  readonly wasFolder: (path: string) => boolean;
};

/** A path that cannot be looked at needs a scan, which reports why. */
function touchOrAnything(touched: Touched): NotesEvent | null {
  try {
    return readTouch(touched);
  } catch {
    return anything;
  }
}

function readTouch({ folder, within, name, wasFolder }: Touched): NotesEvent | null {
  if (name === null) return anything;
  const path = within === "" ? name : `${within}/${name}`;
  switch (classifyName(name)) {
    case "lock":
      return { kind: "lock", path };
    case "hidden":
    case "autosave":
    case "backup":
    case "encrypted":
      return null;
    case "conflict":
      return anything;
    case "note": {
      const status = lstatSync(join(folder, path), { throwIfNoEntry: false });
      if (status === undefined) return wasFolder(path) ? anything : { kind: "note", path };
      return status.isFile() ? { kind: "note", path } : anything;
    }
    case "folder-or-other":
      return concernsFolder(folder, within, name) ? anything : { kind: "other-file", path };
  }
}

/** True if a folder appeared or disappeared. The watched folder itself is reported by its own name. */
function concernsFolder(folder: string, within: string, name: string): boolean {
  const status = lstatSync(join(folder, within, name), { throwIfNoEntry: false });
  if (status !== undefined) return status.isDirectory() || status.isSymbolicLink();
  return !name.includes(".") || name === basename(join(folder, within));
}

function nearestAbove(folder: string): string {
  const above = dirname(folder);
  if (above === folder || isFolder(above)) return above;
  return nearestAbove(above);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
