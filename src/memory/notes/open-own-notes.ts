import { join } from "node:path";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import { describeLostFolders } from "./folder/describe-folders.ts";
import { KnownFolders } from "./folder/known-folders.ts";
import type { NotesPlace } from "./folder/setup-files.ts";
import type { NoteProblem } from "./folder/walk-notes.ts";
import type { LabelRules } from "./labels/labelled-index.ts";
import { type Notes, type NotesOptions, openNotes } from "./open-notes.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";
import type { SyncProgress } from "./sync/sync-notes.ts";

/** Where the owner's notes are, and how they are labelled. */
export type OwnNotesParts = LabelRules &
  NotesPlace &
  Pick<NotesOptions, "agendaFiles" | "isProgramFile"> & {
    /** The state folder, which holds the index. */
    readonly stateFolder: string;
    readonly report: (message: string) => void;
    readonly progress?: (so: SyncProgress) => void;
    /** True for a process that serves clients: it indexes many files in a child process. */
    readonly serving: boolean;
  };

const indexName = "index.db";

/**
 * The notes folders that are lost, as when their disk is not mounted: what was known in them, and what to
 * do. Needs no index.
 */
export function findLostNotes(place: NotesPlace, stateFolder: string): Promise<readonly NoteProblem[]> {
  return describeLostFolders(place, new KnownFolders(join(stateFolder, indexName), place));
}

/** Opens the owner's notes with their index in the state folder. Nothing is read before it is needed. */
export function openOwnNotes(parts: OwnNotesParts): Notes {
  const { stateFolder, privacyTags, originsOf, progress, serving } = parts;
  return openNotes({
    ...parts,
    file: join(stateFolder, indexName),
    labels: { privacyTags, originsOf },
    clock: Date.now,
    yieldToEventLoop: makeEventLoopYield(),
    worker: serving ? locateIndexWorker() : null,
    progress: progress ?? (() => undefined),
  });
}
