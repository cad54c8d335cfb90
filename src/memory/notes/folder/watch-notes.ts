import { type FSWatcher, lstatSync, statSync, watch } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { classifyName } from "../../../notes/note-names.ts";
import { foldersOf, type NotesFolders, nameInside, noteName, pathOfNote } from "./notes-folders.ts";

/**
 * A change in the notes folders: a note was written or deleted, a lock appeared or disappeared, another file changed, which notes may name as their setup
 * file, or something else changed that needs a scan of everything.
 */
export type NotesEvent =
  | { readonly kind: "note"; readonly path: string }
  | { readonly kind: "lock"; readonly path: string }
  | { readonly kind: "other-file"; readonly path: string }
  | { readonly kind: "anything" };

/** Watches the notes folders without timers. `touched` is called for each event at once, so it is called often. */
export function watchNotes(place: NotesFolders, touched: (touch: NotesEvent) => void): NotesWatcher {
  return new NotesWatcher(place, touched);
}

/** Watches a set of folders, with one watch for each folder. */
export class NotesWatcher {
  readonly #place: NotesFolders;
  readonly #touched: (touch: NotesEvent) => void;
  readonly #watches = new Map<string, Watched>();
  #problem: string | null = null;

  constructor(place: NotesFolders, touched: (touch: NotesEvent) => void) {
    this.#place = place;
    this.#touched = touched;
  }

  /**
   * Watches these folders, by their names, and the nearest folder above each notes folder that is not among them, since it does not exist. True if a folder
   * of notes was not watched before.
   */
  watchFolders(folders: readonly string[]): boolean {
    this.#problem = null;
    const wanted = foldersToWatch(this.#place, folders);
    for (const [folder, { watcher }] of this.#watches) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watches.delete(folder);
    }
    let added = false;
    for (const [folder, role] of wanted) {
      if (this.#problem !== null) break;
      const isNew = this.#watch(folder, role);
      added ||= isNew && role.kind === "notes";
    }
    return added && this.#problem === null;
  }

  /** Why nothing is watched, for the owner; null while the folders are watched. */
  problem(): string | null {
    return this.#problem;
  }

  /** True if another folder is in the place of a notes folder, for example a mounted disk or the new target of a link. A watch does not report that. */
  isReplaced(): boolean {
    return foldersOf(this.#place).some((folder) => {
      const watched = this.#watches.get(folder);
      return watched !== undefined && watched.identity !== identityOf(folder);
    });
  }

  close(): void {
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  /** True for a folder that was not watched before. */
  #watch(folder: string, role: WatchRole): boolean {
    const identity = identityOf(folder);
    const before = this.#watches.get(folder);
    if (before?.identity === identity) {
      this.#watches.set(folder, { ...before, role });
      return false;
    }
    before?.watcher.close();
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#onEvent(folder, name));
      watcher.on("error", (error) => {
        watcher.close();
        this.#watches.delete(folder);
        this.#fail(error);
      });
      this.#watches.set(folder, { watcher, identity, role });
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #onEvent(folder: string, name: string | null): void {
    const role = this.#watches.get(folder)?.role;
    if (role === undefined) return;
    const wasFolder = (path: string): boolean => this.#watches.has(path);
    const touch =
      role.kind === "notes"
        ? touchOrAnything({ place: this.#place, within: role.name, name, wasFolder })
        : touchOfAwaited(folder, name, role.names);
    if (touch !== null) this.#touched(touch);
  }

  #fail(error: unknown): void {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES" || code === "EPERM") return;
    this.#problem =
      code === "ENOSPC" || code === "EMFILE"
        ? tooMany(code)
        : `Changes of notes cannot be watched (${code}), so they are noticed at the next heartbeat only.`;
    this.close();
  }
}

/** Why a folder is watched: it holds notes, by its name among them; or a notes folder is awaited below it, by the next names on the way there. */
type WatchRole =
  | { readonly kind: "notes"; readonly name: string }
  | { readonly kind: "above"; readonly names: Set<string> };

type Watched = {
  readonly watcher: FSWatcher;
  readonly identity: string | null;
  readonly role: WatchRole;
};

function foldersToWatch(place: NotesFolders, folders: readonly string[]): ReadonlyMap<string, WatchRole> {
  const wanted = new Map<string, WatchRole>(
    folders.map((name) => [pathOfNote(place, name), { kind: "notes", name }]),
  );
  for (const folder of foldersOf(place)) {
    if (folders.includes(noteName(place, folder))) continue;
    const above = nearestAbove(folder);
    const role = wanted.get(above) ?? { kind: "above", names: new Set() };
    if (role.kind === "above") role.names.add(relative(above, folder).split("/")[0] ?? "");
    wanted.set(above, role);
  }
  return wanted;
}

/** What happens beside the way to a notes folder that does not exist concerns nobody. */
function touchOfAwaited(folder: string, name: string | null, names: ReadonlySet<string>): NotesEvent | null {
  return name === null || names.has(name) || name === basename(folder) ? anything : null;
}

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

function tooMany(code: string): string {
  return `The system allows no more watches (${code}), so changes of notes are noticed at the next heartbeat only. Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances.`;
}

const anything: NotesEvent = { kind: "anything" };

type Touched = {
  readonly place: NotesFolders;
  readonly within: string;
  readonly name: string | null;
  /** True for an absolute path that was a folder at the last scan: a folder may have the name of a note. */
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

function readTouch({ place, within, name, wasFolder }: Touched): NotesEvent | null {
  if (name === null) return anything;
  const path = nameInside(place, within, name);
  const folder = pathOfNote(place, within);
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
      const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (status === undefined) return wasFolder(join(folder, name)) ? anything : { kind: "note", path };
      return status.isFile() ? { kind: "note", path } : anything;
    }
    case "folder-or-other":
      return concernsFolder(folder, name) ? anything : { kind: "other-file", path };
  }
}

/** True if a folder appeared or disappeared. The watched folder itself is reported by its own name. */
function concernsFolder(folder: string, name: string): boolean {
  const status = lstatSync(join(folder, name), { throwIfNoEntry: false });
  if (status !== undefined) return status.isDirectory() || status.isSymbolicLink();
  return !name.includes(".") || name === basename(folder);
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
