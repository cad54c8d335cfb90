import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { LabelRules } from "../../memory/notes/labels/labelled-index.ts";
import { type Notes, openNotes } from "../../memory/notes/open-notes.ts";
import { locateIndexWorker } from "../../memory/notes/sync/run-index-worker.ts";
import type { SyncProgress } from "../../memory/notes/sync/sync-notes.ts";
import type { Policy } from "../../settings/policy.ts";

/** Milliseconds of work after which others are let to theirs. */
const longestBreath = 8;

/** What the owner's notes are opened with. */
export type OwnNotesParts = {
  readonly policy: Policy;
  readonly originsOf: LabelRules["originsOf"];
  readonly report: (message: string) => void;
  readonly progress?: (so: SyncProgress) => void;
  /** Whether many files are indexed in a process of their own, while others are served. */
  readonly serving: boolean;
};

/** The owner's notes folder, with its index in the state folder. Nothing is read before it is needed. */
export function openOwnNotes({ policy, originsOf, report, progress, serving }: OwnNotesParts): Notes {
  const { config, folders } = policy;
  return openNotes({
    folder: folders.notes,
    file: join(config.places.state, "index.db"),
    labels: { privacyTags: config.privacyTags, originsOf },
    clock: Date.now,
    yieldToEventLoop: makeEventLoopYield(),
    worker: serving ? locateIndexWorker() : null,
    progress: progress ?? (() => undefined),
    report,
  });
}

/** Lets others work where it is time to; null where it is not yet. */
export function makeEventLoopYield(): () => Promise<void> | null {
  const breath = { since: performance.now() };
  return () => {
    if (performance.now() - breath.since < longestBreath) return null;
    return setImmediate().then(() => {
      breath.since = performance.now();
    });
  };
}
