import type { Effect } from "./effect.ts";
import type { Facts } from "./facts.ts";
import type { Json } from "./json.ts";
import type { FileChange } from "./tool.ts";
import type { TraceLine, Verdict } from "./verdict.ts";

/** What a stage hands to the journal. Contents and keys never enter it: targets, digests and findings do. */
export type JournalRecord = {
  readonly turn: string | null;
  readonly session: string | null;
  /** `verdict` for what was judged and not run; `intent` before an effect, `outcome` after; `note` for the rest. */
  readonly kind: "verdict" | "intent" | "outcome" | "approval" | "rollback" | "note";
  readonly digest: string | null;
  readonly effects: readonly Effect[];
  readonly facts: Facts | null;
  readonly verdict: Verdict["decision"] | null;
  readonly trace: readonly TraceLine[];
  /** Digests before and expected after, so that a crash between intent and outcome is decided. */
  readonly changes: readonly FileChange[];
  /** What else the kind needs: an outcome's status and code, an approval's identity, a note's event code. */
  readonly detail: { readonly [key: string]: Json };
};

/** One line of the journal. `hash` is SHA-256 over the line's canonical JSON without it. */
export type JournalEntry = JournalRecord & {
  readonly version: number;
  readonly sequence: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** Hash of the set of gates and rules in force. */
  readonly gates: string;
  /** Hash of the entry before; 64 zeros for the first. */
  readonly previous: string;
  readonly hash: string;
};
