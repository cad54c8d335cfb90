import type { Effect } from "../../signal/effect.ts";
import type { Facts } from "../../signal/facts.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { Verdict } from "../../signal/verdict.ts";

/** A call of a model with the facts that it was judged by, and the verdict. */
export type JudgedModelCall = { readonly effect: Effect; readonly facts: Facts; readonly verdict: Verdict };

/** The journal's record of a call of a model, for answers and for embeddings. */
export function recordOfModelCall(
  { effect, facts, verdict }: JudgedModelCall,
  { detail, ...named }: Pick<JournalRecord, "turn" | "session" | "kind" | "digest" | "detail">,
): JournalRecord {
  return {
    ...named,
    effects: [effect],
    facts,
    verdict: verdict.decision,
    trace: verdict.trace,
    changes: [],
    detail: { event: "model-call", ...detail },
  };
}
