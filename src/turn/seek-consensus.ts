import type { Consensus } from "../signal/consensus.ts";
import type { Turn } from "../signal/turn.ts";
import type { JudgedCall, PreparedCall } from "./judge-call.ts";
import type { StepPorts } from "./step-ports.ts";

/** What asking other models for their proposal of a step needs. */
export type SeekConsensusParts = StepPorts & {
  /** What other models propose in the place of critical calls; null where no call is critical, or no model is set for that. */
  readonly consensus: (
    turn: Turn,
    calls: readonly PreparedCall[],
    cancel: AbortSignal,
  ) => Promise<Consensus | null>;
};

/** Asks the other models about the calls of an answer, once: what they said is on the disk before anything runs. Gives the turn as it was where nothing is critical. */
export async function seekConsensus(
  parts: SeekConsensusParts,
  turn: Turn,
  judged: readonly JudgedCall[],
  cancel: AbortSignal,
): Promise<Turn> {
  const calls = judged.flatMap(({ prepared }) => (prepared.ok ? [prepared] : []));
  const known = new Set(turn.consensus?.digests ?? []);
  if (calls.length === 0 || calls.some(({ digest }) => known.has(digest))) return turn;
  const consensus = await parts.consensus(turn, calls, cancel);
  if (consensus === null || cancel.aborted) return turn;
  const next: Turn = { ...turn, consensus, updatedAt: parts.clock() };
  await parts.state.commit({ turn: next, durability: "deferred" });
  return next;
}
