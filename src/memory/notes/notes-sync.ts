import { KnownFolders } from "./folder/known-folders.ts";
import { folderOfNote, foldersOf, pathOfNote } from "./folder/notes-folders.ts";
import type { NotesPlace } from "./folder/setup-files.ts";
import type { NoteProblem } from "./folder/walk-notes.ts";
import type { NotesWatcher } from "./folder/watch-notes.ts";
import type { SelfHealingIndex } from "./index/self-healing-index.ts";
import { runIndexWorker } from "./sync/run-index-worker.ts";
import {
  applyChanges,
  bulkSlice,
  type FolderChanges,
  type SyncParts,
  type SyncProgress,
  scanFiles,
  scanFolders,
  smallSlice,
} from "./sync/sync-notes.ts";
import { makeSyncQueue, type SyncQueue } from "./sync/sync-queue.ts";

/** What syncing needs. Milliseconds. */
export type NotesSyncParts = NotesPlace & {
  /** The index's file. */
  readonly file: string;
  readonly index: SelfHealingIndex;
  readonly clock: () => number;
  readonly yieldToEventLoop: () => Promise<void> | null;
  /** The program that indexes many files in a child process; null to index them in this process. */
  readonly worker: URL | null;
  readonly progress: (so: SyncProgress) => void;
  readonly report: (message: string) => void;
  readonly watcher: () => NotesWatcher | null;
  /** Whether the program itself keeps a file. What changes there is not what its owner works on. */
  readonly isProgramFile?: (path: string) => boolean;
};

/** Without a worker, changed files of more bytes than this together are indexed in large slices. */
const manyBytes = 1_000_000;

type FirstScan = { readonly promise: Promise<void>; readonly settle: () => void };

/** Keeps the index as the folders are: one sync at a time, in this process or in a child process. */
export class NotesSync {
  readonly #parts: NotesSyncParts;
  readonly #queue: SyncQueue;
  readonly #known: KnownFolders;
  #missing: readonly string[] = [];
  #failed = false;
  #indexing: SyncProgress | null = null;
  #problems: readonly NoteProblem[] = [];
  #lastChanged: string | null = null;
  #stopWorker: (() => Promise<void>) | null = null;
  #firstScan: FirstScan | null = null;

  constructor(parts: NotesSyncParts) {
    this.#parts = parts;
    this.#known = new KnownFolders(parts.file, parts);
    this.#queue = makeSyncQueue(
      (paths) => this.#sync(paths),
      (message) => {
        this.#failed = true;
        parts.report(message);
      },
    );
  }

  /** The notes folders that do not exist, or have an empty folder in their place. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /**
   * How many files of notes are known in a folder that is not there, or has an empty folder in its place;
   * else null.
   */
  async countLost(folder: string): Promise<number | null> {
    return (await this.#known.findLost(folder))?.files ?? null;
  }

  /** True where a folder with known notes is gone, and no other one is in its place. */
  async isAnyGone(): Promise<boolean> {
    for (const folder of foldersOf(this.#parts))
      if ((await this.#known.findLost(folder))?.isReplaced === false) return true;
    return false;
  }

  /** Takes the folders that have another one in their place for the known ones. */
  async acceptReplaced(): Promise<void> {
    for (const folder of foldersOf(this.#parts))
      if ((await this.#known.findLost(folder))?.isReplaced === true) await this.#known.accept(folder);
  }

  /** True where the last sync failed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** How far a child process has come; null while there is none. */
  get indexing(): SyncProgress | null {
    return this.#indexing;
  }

  get problems(): readonly NoteProblem[] {
    return this.#problems;
  }

  /** The id of the node that changed last, in a file that the program does not keep for itself. */
  get lastChanged(): string | null {
    return this.#lastChanged;
  }

  /** Syncs some paths, or everything for null. Resolves when that is done. */
  request(paths: readonly string[] | null): Promise<void> {
    return this.#queue.request(paths);
  }

  /** Resolves after the first full sync, or as soon as a child process has started with it. Later calls share that promise. */
  firstScan(): Promise<void> {
    if (this.#firstScan !== null) return this.#firstScan.promise;
    const whole = this.request(null);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#firstScan = { promise, settle: resolve };
    whole.then(resolve, resolve);
    if (this.#indexing !== null) resolve();
    return promise;
  }

  /** Drops waiting syncs, stops the child process, and waits for the running sync. */
  async close(): Promise<void> {
    this.#queue.close();
    await this.#stopWorker?.();
    await this.#queue.idle();
    await this.#noteFirst().catch((error: unknown) => {
      this.#parts.report(`The notes folders could not be noted: ${String(error)}`);
    });
  }

  /** Notes the folders in which the first notes were made since: another scan comes at the next start. */
  async #noteFirst(): Promise<void> {
    for (const folder of foldersOf(this.#parts)) await this.#known.noteFirst(folder);
  }

  async #sync(paths: readonly string[] | null): Promise<void> {
    const { index, worker, watcher } = this.#parts;
    await index.refresh();
    this.#failed = false;
    const parts: SyncParts = { ...this.#parts, known: this.#known };
    const few = paths === null ? null : await scanFiles(parts, paths);
    const changes = few === null || (await this.#isAnyLost(few.removed)) ? await scanFolders(parts) : few;
    if (changes.folders !== null) {
      this.#missing = changes.folders.missing;
      this.#problems = changes.problems;
      if (watcher()?.watchFolders(changes.folders.read) === true) void this.request(null);
    } else await this.#noteFirst();
    // In a full scan, a file that is only new to the index was not edited just now.
    const wereSeen = paths !== null;
    if (worker === null) return this.#indexHere(parts, changes, wereSeen);
    const { isCheapToIndex } = await import("./sync/estimate-index-cost.ts");
    if (await isCheapToIndex(parts, changes)) await this.#indexHere(parts, changes, wereSeen);
    else await this.#indexInChildProcess(worker, wereSeen);
  }

  /**
   * True where one of some notes may be gone with its whole folder, as when a disk is not mounted: the other
   * notes of the folder tell.
   */
  async #isAnyLost(paths: readonly string[]): Promise<boolean> {
    for (const folder of new Set(paths.map((path) => folderOfNote(this.#parts, path)))) {
      if (folder === null) continue;
      if (this.#missing.includes(folder) || (await this.#known.findLost(folder)) !== null) return true;
    }
    return false;
  }

  async #indexHere(parts: SyncParts, changes: FolderChanges, wereSeen: boolean): Promise<void> {
    const { worker, progress } = this.#parts;
    if (changes.toRead.length + changes.removed.length === 0) return;
    const ids: string[] = [];
    await applyChanges(parts, changes, {
      slice: worker === null && changes.bytes > manyBytes ? bulkSlice : smallSlice,
      progress,
      changed: ({ added, changed }) => {
        for (const each of wereSeen ? added : []) ids.push(each);
        for (const each of changed) ids.push(each);
      },
    });
    await this.#noteChange(ids);
    await parts.index.root();
  }

  async #indexInChildProcess(worker: URL, wereSeen: boolean): Promise<void> {
    const { folder, otherFolders = [], variables, file, progress } = this.#parts;
    const request = { folder, otherFolders, variables, file };
    const ids: string[] = [];
    const run = runIndexWorker(worker, request, ({ changed, added, ...so }) => {
      for (const each of [wereSeen ? added : undefined, changed].filter((id) => id !== undefined))
        ids.push(each);
      this.#indexing = so;
      progress(so);
    });
    this.#indexing = { done: 0, of: 1 };
    const stopping = { wanted: false };
    this.#stopWorker = async () => {
      stopping.wanted = true;
      await run.stop();
    };
    this.#firstScan?.settle();
    try {
      await run.done;
      await this.#noteChange(ids);
    } catch (error) {
      // A stopped run has not failed: the rest is indexed at the next start.
      if (!stopping.wanted) throw error;
    } finally {
      this.#indexing = null;
      this.#stopWorker = null;
    }
  }

  /** Notes the last of the nodes that changed. */
  async #noteChange(ids: readonly string[]): Promise<void> {
    const { index, isProgramFile } = this.#parts;
    for (const id of ids.toReversed()) {
      const node = await index.node(id);
      if (node === null || isProgramFile?.(pathOfNote(this.#parts, node.file)) === true) continue;
      this.#lastChanged = id;
      return;
    }
  }
}
