import type { NoteProblem } from "./folder/walk-notes.ts";
import { type NotesWatcher, watchNotes } from "./folder/watch-notes.ts";
import { openSelfHealingIndex, type SelfHealingIndex } from "./index/self-healing-index.ts";
import { type LabelledIndex, type LabelRules, makeLabelledIndex } from "./labels/labelled-index.ts";
import type { NoteNode } from "./nodes/note-node.ts";
import { runIndexWorker } from "./sync/run-index-worker.ts";
import {
  applyChanges,
  bulkSlice,
  type FolderChanges,
  type SyncParts,
  type SyncProgress,
  scanFiles,
  scanFolder,
  smallSlice,
} from "./sync/sync-notes.ts";
import { makeSyncQueue } from "./sync/sync-queue.ts";

/** How the notes stand. */
export type NotesStatus = {
  readonly folder: string;
  /** False where the folder is not there; the index stays as it was. */
  readonly present: boolean;
  /** How far the indexing of many files has come; null where none goes on. */
  readonly indexing: SyncProgress | null;
  /** Why changes are not seen at once; null where they are, or nobody asked. */
  readonly unwatched: string | null;
  /** What was passed over in the folder. */
  readonly problems: readonly NoteProblem[];
};

/** The notes folder with its index. Nothing is opened before it is needed. */
export type Notes = AsyncDisposable & {
  /** Nodes have their whole labels. */
  readonly index: LabelledIndex;
  /** Resolves when the index is as the folder is; where another process indexes many files, when it has begun. What is watched, or done there, is compared once only. */
  readonly ready: () => Promise<void>;
  /** Brings the index up to date: all of it, or what these paths are. Resolves when that is done. */
  readonly sync: (paths?: readonly string[]) => Promise<void>;
  /** Makes the index anew from the files. */
  readonly rebuild: () => Promise<void>;
  /** From now on, changes are seen when they happen. */
  readonly watch: () => void;
  /** What the heartbeat does: looks at all of the folder where it cannot be watched, or is another one than before. */
  readonly onHeartbeat: () => void;
  /** The own text of nodes (heading and section) by their ids; none for a secret node, and for one that is not in its file any more. */
  readonly texts: (nodes: readonly NoteNode[]) => Promise<ReadonlyMap<string, string>>;
  /** A node and all below it, in the order of the text. */
  readonly subtree: (id: string) => Promise<readonly NoteNode[]>;
  /** The node that was last seen to change. */
  readonly lastChanged: () => string | null;
  /** Calls back with the path of a file whose lock came or went. */
  readonly onLock: (listener: (path: string) => void) => void;
  readonly status: () => NotesStatus;
};

/** What the notes are opened with. Milliseconds. */
export type NotesOptions = {
  readonly folder: string;
  /** The index's file. */
  readonly file: string;
  readonly labels: LabelRules;
  readonly clock: () => number;
  /** Lets others work. */
  readonly yieldToEventLoop: () => Promise<void> | null;
  /** The program that indexes many files in a process of its own; null to do it here. */
  readonly worker: URL | null;
  readonly progress: (so: SyncProgress) => void;
  readonly report: (message: string) => void;
};

/** More bytes of changed files than this are taken in large slices where there is no thread for it. */
const manyBytes = 1_000_000;

/** Milliseconds in which changes gather before they are looked at. */
const gathering = 30;

/** Opens the notes of a folder; returns at once. */
export function openNotes(options: NotesOptions): Notes {
  const again = (): void => void queue.request(null);
  const held = openSelfHealingIndex({ ...options, emptied: again });
  const index = makeLabelledIndex(held.index, options.labels);
  const state: State = {
    ...{ present: true, failed: false, indexing: null, problems: [], lastChanged: null },
    ...{ watching: null, stopWorker: null, looked: null },
  };
  const locks: ((path: string) => void)[] = [];
  const queue = makeSyncQueue(
    (paths) => bringUpToDate({ options, held, state, again }, paths),
    (message) => {
      state.failed = true;
      options.report(message);
    },
  );
  const pending = { paths: new Set<string>(), all: false, timer: null as NodeJS.Timeout | null };
  const flush = (): void => {
    pending.timer = null;
    const paths = pending.all ? null : [...pending.paths];
    pending.all = false;
    pending.paths.clear();
    void queue.request(paths);
  };
  const ready = (): Promise<void> => {
    if (state.watching === null && options.worker === null) return queue.request(null);
    state.looked ??= looked(queue.request(null), state);
    return state.looked.promise;
  };
  return {
    index,
    ready,
    sync: (paths) => queue.request(paths ?? null),
    async rebuild() {
      await held.index.clear();
      await queue.request(null);
    },
    watch() {
      state.watching ??= watchNotes(options.folder, (touch) => {
        if (touch.kind === "lock") {
          for (const listener of locks) listener(lockedPath(touch.path));
          return;
        }
        if (touch.kind === "note") pending.paths.add(touch.path);
        else pending.all = true;
        pending.timer ??= setTimeout(flush, gathering).unref();
      });
      again();
    },
    onHeartbeat() {
      if (state.watching === null) return;
      const { watching, present, failed } = state;
      if (watching.problem() !== null || !present || failed || watching.isReplaced()) again();
    },
    async texts(nodes) {
      const { readTexts } = await import("./read-texts.ts");
      return readTexts({ folder: options.folder, index: held.index, sync: queue.request }, nodes);
    },
    async subtree(id) {
      const top = await index.resolveId(id);
      if (top === null) return [];
      if (top.level > 0 && top.end === top.sectionEnd) return [top];
      const nodes = await index.nodesInFile(top.file);
      return top.level === 0
        ? nodes
        : nodes.filter(({ level, begin, end }) => level > 0 && begin >= top.begin && end <= top.end);
    },
    lastChanged: () => state.lastChanged,
    onLock: (listener) => void locks.push(listener),
    status: () => ({
      folder: options.folder,
      present: state.present,
      indexing: state.indexing,
      unwatched: state.watching?.problem() ?? null,
      problems: state.problems,
    }),
    async [Symbol.asyncDispose]() {
      if (pending.timer !== null) clearTimeout(pending.timer);
      state.watching?.close();
      queue.close();
      await state.stopWorker?.();
      await queue.idle();
      await held.close();
    },
  };
}

type State = {
  present: boolean;
  /** The last sync could not be done. */
  failed: boolean;
  indexing: SyncProgress | null;
  problems: readonly NoteProblem[];
  lastChanged: string | null;
  watching: NotesWatcher | null;
  stopWorker: (() => Promise<void>) | null;
  looked: { readonly promise: Promise<void>; readonly settle: () => void } | null;
};

/** Settled by the first look, or with the whole sync at the latest. */
function looked(whole: Promise<void>, state: State): NonNullable<State["looked"]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  whole.then(resolve, resolve);
  if (state.indexing !== null) resolve();
  return { promise, settle: resolve };
}

type SyncContext = {
  readonly options: NotesOptions;
  readonly held: SelfHealingIndex;
  readonly state: State;
  readonly again: () => void;
};

async function bringUpToDate(upkeep: SyncContext, paths: readonly string[] | null): Promise<void> {
  const { options, held, state, again } = upkeep;
  held.refresh();
  state.failed = false;
  const { folder, clock, yieldToEventLoop } = options;
  const parts: SyncParts = { folder, index: held.index, clock, yieldToEventLoop };
  const difference = paths === null ? await scanFolder(parts) : await scanFiles(parts, paths);
  state.present = difference !== null;
  if (difference === null) {
    state.watching?.watchFolders(null);
    return;
  }
  if (difference.folders !== null) {
    state.problems = difference.problems;
    if (state.watching?.watchFolders(difference.folders) === true) again();
  }
  const taking = { parts, difference, seen: paths !== null };
  if (options.worker === null) return takeHere(upkeep, taking);
  const { isCheapToIndex } = await import("./sync/estimate-index-cost.ts");
  if (await isCheapToIndex(parts, difference)) await takeHere(upkeep, taking);
  else await takeApart(upkeep, options.worker, taking);
}

type Taking = {
  readonly parts: SyncParts;
  readonly difference: FolderChanges;
  /** Whether the change was seen when it was made: what is only new to the index was not edited just now. */
  readonly seen: boolean;
};

async function takeHere({ options, state }: SyncContext, { parts, difference, seen }: Taking): Promise<void> {
  if (difference.toRead.length + difference.removed.length === 0) return;
  await applyChanges(parts, difference, {
    slice: options.worker === null && difference.bytes > manyBytes ? bulkSlice : smallSlice,
    progress: options.progress,
    changed: ({ added, changed }) => {
      noteChange(state, { changed: changed.at(-1), added: seen ? added.at(-1) : undefined });
    },
  });
  await parts.index.root();
}

function noteChange(
  state: State,
  last: { readonly changed?: string | undefined; readonly added?: string | undefined },
): void {
  state.lastChanged = last.changed ?? last.added ?? state.lastChanged;
}

async function takeApart({ options, state }: SyncContext, worker: URL, { seen }: Taking): Promise<void> {
  const { folder, file } = options;
  const indexing = runIndexWorker(worker, { folder, file }, ({ changed, added, ...so }) => {
    noteChange(state, { changed, added: seen ? added : undefined });
    state.indexing = so;
    options.progress(so);
  });
  state.indexing = { done: 0, of: 1 };
  const ending = { wanted: false };
  state.stopWorker = async () => {
    ending.wanted = true;
    await indexing.stop();
  };
  state.looked?.settle();
  try {
    await indexing.done;
  } catch (error) {
    // What was stopped has not failed: the rest is indexed at the next start.
    if (!ending.wanted) throw error;
  } finally {
    state.indexing = null;
    state.stopWorker = null;
  }
}

/** `a/.#b.org` is the lock of `a/b.org`. */
function lockedPath(path: string): string {
  return path.replace(/(^|\/)\.#([^/]*)$/, "$1$2");
}
