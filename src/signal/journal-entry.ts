import type { Json } from "../text/json.ts";
import type { Effect } from "./effect.ts";
import type { Facts } from "./facts.ts";
import type { FileChange } from "./tool.ts";
import type { TraceLine, Verdict } from "./verdict.ts";

/** A record that a stage gives to the journal. It holds targets, digests and findings, never contents or keys. */
export type JournalRecord = {
  readonly turn: string | null;
  readonly session: string | null;
  /** `verdict` for an action that was judged and not run; `intent` before an effect, `outcome` after it; `note` for everything else. */
  readonly kind: "verdict" | "intent" | "outcome" | "approval" | "rollback" | "note";
  readonly digest: string | null;
  readonly effects: readonly Effect[];
  readonly facts: Facts | null;
  readonly verdict: Verdict["decision"] | null;
  readonly trace: readonly TraceLine[];
  /** The digests before and the expected digests after. They decide what happened in a crash between intent and outcome. */
  readonly changes: readonly FileChange[];
  /** Further details of the kind: the status and code of an outcome, the identity of an approval, the event code of a note. */
  readonly detail: { readonly [key: string]: Json };
};

/** One line of the journal. `hash` is the SHA-256 of the line's canonical JSON without `hash`. */
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
