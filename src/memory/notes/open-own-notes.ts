import { join } from "node:path";
import type { NotesPlace } from "./folder/setup-files.ts";
import type { LabelRules } from "./labels/labelled-index.ts";
import { makeEventLoopYield } from "./nodes/yield-to-event-loop.ts";
import { type Notes, type NotesOptions, openNotes } from "./open-notes.ts";
import { locateIndexWorker } from "./sync/run-index-worker.ts";
import type { SyncProgress } from "./sync/sync-notes.ts";

/** Where the owner's notes are, and how they are labelled. */
export type OwnNotesParts = LabelRules &
  NotesPlace &
  Pick<NotesOptions, "agendaFiles"> & {
    /** The state folder, which holds the index. */
    readonly stateFolder: string;
    readonly report: (message: string) => void;
    readonly progress?: (so: SyncProgress) => void;
    /** True for a process that serves clients: it indexes many files in a child process. */
    readonly serving: boolean;
  };

/** Opens the owner's notes with their index in the state folder. Nothing is read before it is needed. */
export function openOwnNotes(parts: OwnNotesParts): Notes {
  const { stateFolder, privacyTags, originsOf, progress, serving } = parts;
  return openNotes({
    ...parts,
    file: join(stateFolder, "index.db"),
    labels: { privacyTags, originsOf },
    clock: Date.now,
    yieldToEventLoop: makeEventLoopYield(),
    worker: serving ? locateIndexWorker() : null,
    progress: progress ?? (() => undefined),
  });
}
