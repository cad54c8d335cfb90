import type { State } from "../memory/state/state.ts";
import type { JournalRecord } from "../signal/journal-entry.ts";
import type { Label } from "../signal/label.ts";
import type { LoopEvent } from "../signal/loop-event.ts";
import type { Turn } from "../signal/turn.ts";
import type { Verdict } from "../signal/verdict.ts";
import type { Clock } from "../text/clock.ts";

/** What every step of a turn needs to write its next state to the disk. */
export type StepPorts = {
  readonly state: Pick<State, "commit">;
  readonly clock: Clock;
  readonly newId: () => string;
};

/** What a step needs to tell the clients of a session. */
export type ClientPorts = {
  readonly emit: (event: LoopEvent) => void;
  /** Masks keys and makes control characters visible. */
  readonly filter: (text: string) => string;
};

/** Judges whether these words, with this label, may be shown to the person of the turn. */
export type JudgeTelling = (turn: Turn, text: string, label: Label) => Promise<Verdict>;

/** Appends a record to the journal. Fields that are left out are empty. */
export type AppendToJournal = (record: Partial<JournalRecord> & Pick<JournalRecord, "kind">) => Promise<void>;

/**
 * How often a turn may do the same and get the same, and how many of its questions are denied before it ends.
 */
export type TurnLimits = { readonly repeats: number; readonly denials: number };
