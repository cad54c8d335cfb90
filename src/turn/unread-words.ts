import type { State } from "../memory/state/state.ts";
import { subTaskOf } from "../signal/sub-task.ts";
import type { Turn } from "../signal/turn.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** What finding words that wait for a turn needs. */
export type UnreadWordsParts = {
  readonly state: Pick<State, "turns">;
  readonly queue: Pick<TurnQueue, "waitingIn">;
  /** Whether what a turn begins with is a command, which says nothing to the turn that runs. */
  readonly isCommand: (turn: Turn) => boolean;
};

/**
 * Whether the owner said something to the request that a turn works for, and its model has not read it yet:
 * it may take back what was said before. For a sub-task these are words to the turn that began it.
 */
export async function hasUnreadWords(
  { state, queue, isCommand }: UnreadWordsParts,
  turn: Turn,
): Promise<boolean> {
  for (const id of queue.waitingIn(subTaskOf(turn.signal)?.rootSession ?? turn.session)) {
    const waiting = await state.turns.get(id);
    if (waiting !== null && isSteering(waiting) && !isCommand(waiting)) return true;
  }
  return false;
}

/** Whether a turn waits that the owner began for the turn that runs. */
export function isSteering({ state, signal }: Turn): boolean {
  return state === "queued" && signal.person === "owner" && signal.payload["steer"] === true;
}
