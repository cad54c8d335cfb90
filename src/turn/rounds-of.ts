import type { Call } from "../signal/action.ts";
import type { CallRound } from "../signal/call-round.ts";
import type { Turn } from "../signal/turn.ts";

/** What was done of a call that goes on by what it got; empty where it has not begun. */
export function roundsOf({ rounds, messages }: Turn, { id }: Call): readonly CallRound[] {
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return rounds?.answer === answer && rounds.call === id ? rounds.done : [];
}
