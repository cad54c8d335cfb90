import type { FoundStamp, NoteNode } from "../../notes/note-node.ts";
import { agendaFileFilter } from "./agenda-files.ts";
import { folderOfNote, foldersOf, noteName, pathOfNote } from "./folder/notes-folders.ts";
import type { NotesPlace } from "./folder/setup-files.ts";
import type { NoteProblem } from "./folder/walk-notes.ts";
import { type NotesEvent, type NotesWatcher, watchNotes } from "./folder/watch-notes.ts";
import { SelfHealingIndex } from "./index/self-healing-index.ts";
import type { AttachedFiles } from "./labels/attached-files.ts";
import { LabelledIndex, type LabelRules } from "./labels/labelled-index.ts";
import { NotesSync, type NotesSyncParts } from "./notes-sync.ts";
import type { SyncProgress } from "./sync/sync-notes.ts";

/** The state of the notes. */
export type NotesStatus = {
  /** The first folder, where new notes go. */
  readonly folder: string;
  /** All folders, the first one first. */
  readonly folders: readonly string[];
  /** False where none of the folders exists. */
  readonly present: boolean;
  /**
   * The folders that do not exist, or have an empty folder in their place; what the index knows of them
   * stays.
   */
  readonly missing: readonly string[];
  /** What is wrong with those of them in which notes were known. */
  readonly lost: readonly NoteProblem[];
  /** How far the indexing of many files has come; null while none is under way. */
  readonly indexing: SyncProgress | null;
  /** Why changes are not noticed at once; null where they are, or where nobody asked to watch. */
  readonly unwatched: string | null;
  /** The entries of the folders that were skipped. */
  readonly problems: readonly NoteProblem[];
};

/** What the notes are opened with. Milliseconds. */
export type NotesOptions = Omit<NotesSyncParts, "index" | "watcher"> & {
  readonly labels: LabelRules;
  /** Real paths of the files and folders that are on the agenda; empty for all notes. */
  readonly agendaFiles?: readonly string[];
};

/** Said in place of the text of a note whose folder is lost. */
const lostText = "its text cannot be read: its notes folder is gone";

/** Milliseconds for which changes gather before they are synced. */
const debounce = 30;

/** Opens the notes of some folders; returns at once, and opens no file before it is needed. */
export function openNotes(options: NotesOptions): Notes {
  return new Notes(options);
}

/** The notes folders with their index. */
export class Notes implements AsyncDisposable {
  /** Nodes have their complete labels. */
  readonly index: LabelledIndex;
  readonly #options: NotesOptions;
  readonly #plainIndex: SelfHealingIndex;
  readonly #sync: NotesSync;
  readonly #lockListeners: ((path: string) => void)[] = [];
  readonly #syncListeners: (() => void)[] = [];
  readonly #changedPaths = new Set<string>();
  #everythingChanged = false;
  #debounceTimer: NodeJS.Timeout | null = null;
  #watcher: NotesWatcher | null = null;
  #attached: Promise<AttachedFiles> | null = null;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#plainIndex = new SelfHealingIndex({ ...options, emptied: () => void this.#sync.request(null) });
    this.index = new LabelledIndex(this.#plainIndex, options.labels);
    this.#sync = new NotesSync({ ...options, index: this.#plainIndex, watcher: () => this.#watcher });
  }

  /** The folders, with what is set for all notes in them. */
  get place(): NotesPlace {
    const { folder, otherFolders = [], variables } = this.#options;
    return { folder, otherFolders, variables };
  }

  /** Whether the program itself keeps the file of a node. */
  isOfProgram({ file }: Pick<NoteNode, "file">): boolean {
    return this.#options.isProgramFile?.(this.pathOf(file)) === true;
  }

  /** The absolute path of a file that the index names. */
  pathOf(file: string): string {
    return pathOfNote(this.#options, file);
  }

  /**
   * Resolves when the index is as the folders are, or, where a child process indexes many files, when that has started. Folders that are watched, or that a
   * child process indexes, are compared only once.
   */
  ready(): Promise<void> {
    const { worker } = this.#options;
    return this.#watcher === null && worker === null ? this.#sync.request(null) : this.#sync.firstScan();
  }

  /** Brings the index up to date: all of it, or these paths. Resolves when that is done. */
  sync(paths?: readonly string[]): Promise<void> {
    return this.#sync.request(paths ?? null);
  }

  /** Brings the index up to date, and overwrites on the disk what it held before. */
  async overwriteFreed(): Promise<void> {
    await this.#sync.request(null);
    await this.#plainIndex.overwriteFreed();
  }

  /** Rebuilds the index from the files. What is in the place of a notes folder is then that folder. */
  async rebuild(): Promise<void> {
    await this.#sync.acceptReplaced();
    await this.#plainIndex.clear();
    await this.#sync.request(null);
  }

  /** From now on, changes are noticed when they happen. */
  watch(): void {
    this.#watcher ??= watchNotes(this.#options, (event) => this.#onEvent(event));
    void this.#syncAndTell(null);
  }

  /** Compares everything with the index where it cannot be watched, or where a folder is missing or another one is in its place. */
  onHeartbeat(): void {
    if (this.#watcher === null) return;
    const { missing, failed } = this.#sync;
    if (this.#watcher.problem() !== null || missing.length > 0 || failed || this.#watcher.isReplaced()) {
      void this.#sync.request(null);
    }
  }

  /**
   * How many files of notes are known in one of the folders, where it is gone or has an empty folder in its
   * place, as when its disk is not mounted; else null.
   */
  countLost(folder: string): Promise<number | null> {
    return this.#sync.countLost(folder);
  }

  /** The own text of nodes (heading and section) by their ids. Secret nodes, and nodes that are no longer in their file, have none. */
  async texts(nodes: readonly NoteNode[]): Promise<ReadonlyMap<string, string>> {
    const { readTexts } = await import("./read-texts.ts");
    const sync = (paths: readonly string[] | null): Promise<void> => this.#sync.request(paths);
    return readTexts({ ...this.place, index: this.#plainIndex, sync }, nodes);
  }

  /** True where a folder with known notes is gone, and no other one is in its place. */
  isAnyGone(): Promise<boolean> {
    return this.#sync.isAnyGone();
  }

  /** True for an indexed file whose notes folder is not there. */
  isLost(file: string): boolean {
    const folder = folderOfNote(this.#options, file);
    return folder !== null && this.#sync.missing.includes(folder);
  }

  /**
   * The texts of nodes as they are shown: of a note in a lost folder, its heading, and that its text is gone.
   */
  async shownTexts(nodes: readonly NoteNode[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map(await this.texts(nodes));
    for (const node of nodes)
      if (!texts.has(node.id) && this.isLost(node.file) && node.label.secrecy !== "secret")
        texts.set(node.id, `${node.title} (${lostText})`);
    return texts;
  }

  /** The timestamps of the agenda's files that may show between two days, `YYYY-MM-DD`, both included. */
  async agendaStamps(from: string, to: string): Promise<readonly FoundStamp[]> {
    const isOnAgenda = agendaFileFilter(this.#options, this.#options.agendaFiles ?? []);
    return (await this.index.stampsFor(from, to)).filter(({ file }) => isOnAgenda(file));
  }

  /** How secret files or folders are, at real paths, by the entries that Org attaches them to. */
  async labelOfAttached(paths: readonly string[]): Promise<NoteNode["label"]> {
    this.#attached ??= this.#openAttached();
    return (await this.#attached).labelOf(paths);
  }

  /** The keys by which what is attached to the private entries of a file is recorded, with their labels. */
  async attachmentKeys(path: string): Promise<ReadonlyMap<string, NoteNode["label"]>> {
    this.#attached ??= this.#openAttached();
    return (await this.#attached).keysOf(noteName(this.#options, path));
  }

  /** Looks anew at what is recorded of attachments. */
  forgetAttached(): void {
    this.#attached = null;
  }

  async #openAttached(): Promise<AttachedFiles> {
    await this.ready();
    const { AttachedFiles } = await import("./labels/attached-files.ts");
    return new AttachedFiles({
      index: this.index,
      folders: foldersOf(this.#options),
      pathOf: (file) => this.pathOf(file),
      originsOf: this.#options.labels.originsOf,
    });
  }

  /** A node and all nodes below it, in the order of the text. */
  async subtree(id: string): Promise<readonly NoteNode[]> {
    const top = await this.index.resolveId(id);
    if (top === null) return [];
    if (top.level > 0 && top.end === top.sectionEnd) return [top];
    const nodes = await this.index.nodesInFile(top.file);
    return top.level === 0
      ? nodes
      : nodes.filter(({ level, begin, end }) => level > 0 && begin >= top.begin && end <= top.end);
  }

  /**
   * The id of the node that changed last, in a file that the program does not keep for itself; null where
   * none has changed since the notes were opened.
   */
  lastChanged(): string | null {
    return this.#sync.lastChanged;
  }

  /** Calls back with the path of a file whose lock appeared or disappeared. */
  onLock(listener: (path: string) => void): void {
    this.#lockListeners.push(listener);
  }

  /** Calls back after each sync of a watched folder. */
  onSynced(listener: () => void): void {
    this.#syncListeners.push(listener);
  }

  status(): NotesStatus {
    const [{ missing }, folders] = [this.#sync, foldersOf(this.#options)];
    return {
      folder: this.#options.folder,
      folders,
      present: missing.length < folders.length,
      missing,
      lost: this.#sync.problems.filter(({ path }) => missing.includes(path)),
      indexing: this.#sync.indexing,
      unwatched: this.#watcher?.problem() ?? null,
      problems: this.#sync.problems,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#debounceTimer !== null) clearTimeout(this.#debounceTimer);
    this.#watcher?.close();
    await this.#sync.close();
    await this.#plainIndex.close();
  }

  #onEvent(event: NotesEvent): void {
    if (event.kind === "lock") {
      for (const listener of this.#lockListeners) listener(lockedPath(event.path));
      return;
    }
    if (event.kind === "note" || event.kind === "other-file") this.#changedPaths.add(event.path);
    else this.#everythingChanged = true;
    this.#debounceTimer ??= setTimeout(() => this.#syncChanges(), debounce).unref();
  }

  #syncChanges(): void {
    this.#debounceTimer = null;
    const paths = this.#everythingChanged ? null : [...this.#changedPaths];
    this.#everythingChanged = false;
    this.#changedPaths.clear();
    void this.#syncAndTell(paths);
  }

  async #syncAndTell(paths: readonly string[] | null): Promise<void> {
    await this.#sync.request(paths);
    for (const listener of this.#syncListeners) listener();
  }
}

/** `a/.#b.org` is the lock of `a/b.org`. */
function lockedPath(path: string): string {
  return path.replace(/(^|\/)\.#([^/]*)$/, "$1$2");
}
