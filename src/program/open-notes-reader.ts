import type { Notes } from "../memory/notes/open-notes.ts";
import { openOwnNotes } from "../memory/notes/open-own-notes.ts";
import type { SyncProgress } from "../memory/notes/sync/sync-notes.ts";
import { findDuplicateIds, verifyIndex } from "../memory/notes/verify-index.ts";
import { type MeantNote, makeNotesByMeaning } from "../memory/recall/notes-by-meaning.ts";
import { type FoundMemory, type SemanticSearch, searchMemory } from "../memory/recall/search-memory.ts";
import { openState } from "../memory/state/open-state.ts";
import type { State } from "../memory/state/state.ts";
import { makePrivateFolder } from "../memory/storage/private-file.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { loadPolicy } from "../settings/policy.ts";
import type { StartContext } from "../settings/start-context.ts";
import { bottomLabel } from "../signal/label.ts";
import { warnOfFolders } from "./warn-of-folders.ts";

/** How many files of notes are indexed or checked, and of how many. */
export type FilesDone = SyncProgress;

/** Milliseconds for the vector of a query: nobody waits for an answer meanwhile. */
const patience = 10_000;

/** The notes and the state of this user, read-only. */
export type NotesReader = AsyncDisposable & {
  /** Up to date when the reader is opened. */
  readonly notes: Notes;
  /** Null if there is no state yet. */
  readonly state: State | null;
  readonly search: (query: string, limit: number) => Promise<readonly FoundMemory[]>;
  /** The notes that words mean, as a prompt shows them. */
  readonly meant: (words: string, limit: number) => Promise<readonly MeantNote[]>;
  /**
   * Describes what is wrong with the state, and where the index differs from the files. `checked` hears how
   * many files are done.
   */
  readonly verify: (checked: (so: FilesDone) => void) => Promise<readonly string[]>;
  /** Describes the `:ID:`s that several notes have. */
  readonly duplicates: () => Promise<readonly string[]>;
};

/**
 * Opens the notes beside other processes that have them open, after bringing the index up to date. Warns of
 * each notes folder that is gone or replaced, or that none exists yet.
 */
export async function openNotesReader(
  start: StartContext,
  { progress }: { readonly progress: (so: SyncProgress) => void },
): Promise<NotesReader> {
  const policy = loadPolicy(start.environment);
  await using opened = new AsyncDisposableStack();
  const state = await openStateIfAny(policy.config.places.state, policy.gatesHash);
  if (state !== null) opened.use(state);
  makePrivateFolder(policy.config.places.state);
  const notes = opened.use(
    openOwnNotes({
      ...policy.notesPlace,
      agendaFiles: policy.config.agendaFiles,
      stateFolder: policy.config.places.state,
      privacyTags: policy.config.privacyTags,
      progress,
      originsOf: async (hashes) => (await state?.origins.of(hashes)) ?? new Map(),
      isProgramFile: policy.isProgramFile,
      report: (message) => start.warn?.(message),
      serving: false,
    }),
  );
  await notes.sync();
  warnOfFolders(start, notes.status());
  const kept = opened.move();
  const semanticIndex: SemanticSearch | null =
    policy.config.embedding === null
      ? null
      : {
          async nearest(text, _label, limit) {
            const { findNearest } = await import("./find-nearest.ts");
            const { problem, ...near } = await findNearest({ start, policy, notes }, { text, limit });
            if (problem !== null) start.warn?.(problem);
            return near;
          },
        };
  const meant = makeNotesByMeaning({ semanticIndex, count: () => notes.index.count(), patience });
  return {
    notes,
    state,
    meant: (words, limit) => meant(words, bottomLabel, limit),
    search: (text, limit) =>
      searchMemory({ notes, state, semanticIndex }, { text, limit, matchesOnly: true }),
    verify: async (checked) => [
      ...((await state?.verify()) ?? []),
      ...notes.status().lost.map(({ path }) => `${path} is not there, so its notes cannot be checked.`),
      ...(await verifyIndex(
        { place: notes.place, index: notes.index, isLost: (file) => notes.isLost(file) },
        checked,
      )),
    ],
    duplicates: () => findDuplicateIds(notes.index),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function openStateIfAny(folder: string, gates: string): Promise<State | null> {
  try {
    return await openState({ folder, clock: Date.now, gates, access: "read" });
  } catch (error) {
    if (error instanceof StateProblem && error.code === "missing") return null;
    throw error;
  }
}
