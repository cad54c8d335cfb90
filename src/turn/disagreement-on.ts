import type { Call } from "../signal/action.ts";
import type { Consensus } from "../signal/consensus.ts";
import type { Turn } from "../signal/turn.ts";

/** What other models said to the last answer of a turn; null where none was asked about it. */
export function consensusOf({ consensus, messages }: Pick<Turn, "consensus" | "messages">): Consensus | null {
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  // What an older version kept names no answer: then the models are asked again.
  return consensus?.answer === answer ? consensus : null;
}

/** What the judge is told of a call: the words of a disagreement about it. */
export function disagreementOn(turn: Turn, { id }: Call): { readonly disagreement?: string } {
  const consensus = consensusOf(turn);
  if (consensus === null || consensus.disagreement === null) return {};
  return consensus.calls.includes(id) ? { disagreement: consensus.disagreement } : {};
}
