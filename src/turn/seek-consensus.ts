import type { Opinion } from "../signal/consensus.ts";
import type { Effect } from "../signal/effect.ts";
import type { Turn } from "../signal/turn.ts";
import { consensusOf } from "./disagreement-on.ts";
import type { JudgedCall } from "./judge-call.ts";
import type { ClientPorts, StepPorts } from "./step-ports.ts";

/** How other models are asked for their own proposal of a step. */
export type ConsensusPort = {
  /** Whether other models have to be asked before these effects. */
  readonly concerns: (effects: readonly Effect[]) => boolean;
  /** What they propose in the place of the last answer of a turn; null where no model gave that answer. */
  readonly ask: (turn: Turn, cancel: AbortSignal) => Promise<Opinion | null>;
};

/** What asking other models for their proposal of a step needs. */
export type SeekConsensusParts = StepPorts &
  Pick<ClientPorts, "emit"> & { readonly consensus: ConsensusPort };

/**
 * Asks the other models about the critical calls of an answer, once for an answer: what they said is kept before anything runs, also for a call that turns out
 * critical later. Gives the turn as it was where nothing new is critical.
 */
export async function seekConsensus(
  parts: SeekConsensusParts,
  turn: Turn,
  judged: readonly JudgedCall[],
  cancel: AbortSignal,
): Promise<Turn> {
  const asked = consensusOf(turn);
  const known = asked?.calls ?? [];
  const critical = judged.flatMap(({ call: { id }, prepared }) =>
    prepared.ok && !known.includes(id) && parts.consensus.concerns(prepared.effects) ? [id] : [],
  );
  if (critical.length === 0) return turn;
  const opinion = asked ?? (await askOthers(parts, turn, cancel));
  if (opinion === null || cancel.aborted) return turn;
  const answer = turn.messages.findLastIndex(({ role }) => role === "assistant");
  const { disagreement, label } = opinion;
  const consensus = { answer, calls: [...known, ...critical], disagreement, label };
  const next: Turn = { ...turn, consensus, updatedAt: parts.clock() };
  await parts.state.commit({ turn: next, durability: "deferred" });
  return next;
}

function askOthers({ emit, consensus }: SeekConsensusParts, turn: Turn, cancel: AbortSignal) {
  const { session, id, depth } = turn;
  const text = "This step is critical: the models of CONSENSUS_MODELS are asked what they would do.";
  emit({ type: "thinking", session, turn: id, depth, text });
  return consensus.ask(turn, cancel);
}
