import type { StoredChange } from "../../memory/state/changes.ts";
import type { Policy } from "../../settings/policy.ts";
import type { Effect } from "../../signal/effect.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { Signal } from "../../signal/signal.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";
import type { FileUndoParts } from "./plan-undo.ts";

/** Who commands it, and in which workspace. */
export type CommandOrigin = {
  readonly signal: Pick<Signal, "session" | "person" | "source" | "clientId">;
  readonly workspace: string | null;
};

/** What undoing needs. */
export type UndoParts = FileUndoParts & {
  /** The folder of the sets that commands changed. */
  readonly sets: string;
  readonly policy: Policy;
  readonly journal: AppendToJournal;
};

/** What was undone, and the conflicts, each as a line of text. */
export type UndoResult = { readonly done: readonly string[]; readonly conflicts: readonly string[] };

/** A request to undo changes. It has an id of its own, under which its own changes are kept. */
export type UndoRequest = {
  readonly id: string;
  readonly session: string;
  /** The turn that it belongs to; null for a command of the owner. */
  readonly turn: string | null;
  readonly operation: "undo" | "rollback" | "revert";
  /** In the order in which they were made. */
  readonly changes: readonly StoredChange[];
  /** Undoes the changes of memory; it runs before the files. */
  readonly memory: () => Promise<UndoResult>;
  /** Judges the effects of the undo. */
  readonly judge: (effects: readonly Effect[]) => Promise<UndoDecision>;
};

/**
 * The judge's decision on an undo: what the intent records of it, or why not all of it is done. `blocked`:
 * the indexes of the effects that are not, each with the reason.
 */
export type UndoDecision =
  | { readonly ok: true; readonly intent: Pick<JournalRecord, "facts" | "verdict" | "trace"> }
  | { readonly ok: false; readonly reason: string; readonly blocked: ReadonlyMap<number, string> };

/** The end of an undo: what was done, or why nothing was. */
export type UndoEnd = (UndoResult & { readonly ok: true }) | { readonly ok: false; readonly reason: string };
