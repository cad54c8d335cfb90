import type { NoteToForget } from "../memory/notes/edits/note-copies.ts";
import type { FileLock } from "../memory/notes/locks/lock-file.ts";
import type { DeferredEdit } from "../memory/state/deferred-edits.ts";
import type { State } from "../memory/state/state.ts";
import type { ParsedAnswer } from "../reason/parse/parse-answer.ts";
import type { Action } from "../signal/action.ts";
import type { Licence } from "../signal/facts.ts";
import type { PassepartoutError } from "../signal/failure.ts";
import type { JournalRecord } from "../signal/journal-entry.ts";
import type { Json } from "../signal/json.ts";
import type { Label } from "../signal/label.ts";
import type { LoopEvent } from "../signal/loop-event.ts";
import type { Signal } from "../signal/signal.ts";
import type { Caller, PreparedAction } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import type { Judge, Verdict } from "../signal/verdict.ts";

/** What thinking came to: a thought with the label of all that went into it, or why there is none. */
export type ThinkResult =
  | {
      readonly kind: "thought";
      readonly thought: ParsedAnswer;
      readonly text: string;
      readonly provider: string;
      readonly raw: Json;
      readonly label: Label;
    }
  | { readonly kind: "failure"; readonly code: string; readonly error: PassepartoutError };

/** What the loop is told while a model answers. */
export type ThinkHooks = {
  readonly onText: (text: string) => void;
  readonly onReset: (reason: string) => void;
  readonly onNotice: (text: string) => void;
};

/** What a recovery handler chose. None can turn a verdict. */
export type RecoveryChoice =
  | { readonly choice: "skip-signal" }
  | { readonly choice: "use-fallback"; readonly text: string }
  | { readonly choice: "abort-pipeline" };

/** What is known of files that editors hold. */
export type FileLocks = {
  /** Who holds a file; null as well where that cannot be looked at: writing it then says why. */
  readonly read: (path: string) => Promise<FileLock | null>;
  /** Looks out for these files to be let go of, and for no others. */
  readonly watch: (paths: readonly string[]) => void;
  /** Keeps what a file holds now, if it can be kept, for a later merge; gives its SHA-256 in hex, null where there is no file. */
  readonly keepBase: (path: string) => Promise<string | null>;
  /** Puts an edit that could not be made where the person finds it; gives the sentence that says where. */
  readonly setAside: (edit: DeferredEdit) => Promise<string>;
  /** Takes away what was put aside of a note; gives how many versions and edits that were. */
  readonly forgetSetAside: (note: NoteToForget) => Promise<number>;
};

export type DriveParts = {
  readonly state: State;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly judge: Judge;
  readonly prepare: (action: Action, asker: Caller, licences: readonly Licence[]) => Promise<PreparedAction>;
  readonly askerOf: (turn: Turn) => Promise<Caller>;
  readonly think: (turn: Turn, hooks: ThinkHooks, cancel: AbortSignal) => Promise<ThinkResult>;
  /** Judges showing something with this label, and these words, to the person of the turn. */
  readonly judgeTelling: (turn: Turn, text: string, label: Label) => Promise<Verdict>;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
  /** Masks the configured keys in what is kept. */
  readonly maskKeys: (text: string) => string;
  readonly journal: (record: Partial<JournalRecord> & Pick<JournalRecord, "kind">) => Promise<void>;
  readonly snapshot: (turn: Turn) => Promise<void>;
  readonly recover: (error: PassepartoutError, signal: Signal) => RecoveryChoice | null;
  readonly isMessageActuator: (target: string) => boolean;
  /** Whether the owner silenced a target: what succeeded there is neither shown nor fed back in full. */
  readonly isSilent: (name: string) => boolean;
  readonly digestOfFile: (path: string) => Promise<string | null>;
  readonly depthLimit: (signal: Signal) => number;
  readonly locks: FileLocks;
  /** Milliseconds that an approval stays open. */
  readonly approvalExpiry: number;
  readonly wait: (ms: number, cancel: AbortSignal) => Promise<void>;
  readonly emit: (event: LoopEvent) => void;
  /** Aborted when the process is closing: no turn is begun, and one that is cancelled stays on disk as it is. */
  readonly stopping: AbortSignal;
};
