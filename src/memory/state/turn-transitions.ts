import { isFinal, type OpenState, type TurnState } from "../../signal/turn.ts";

const finals: readonly TurnState[] = ["answered", "blocked", "failed", "stopped"];

/** The states that may follow each open state. A turn may stay in a state while its contents grow. */
const allowed: Readonly<Record<OpenState, readonly TurnState[]>> = {
  queued: ["queued", "thinking", "judging", ...finals],
  thinking: ["thinking", "judging", "suspended", ...finals],
  judging: ["judging", "thinking", "suspended", "acting", ...finals],
  suspended: ["suspended", "thinking", "judging", "acting", ...finals],
  acting: ["acting", "thinking", "judging", "suspended", ...finals],
};

/** Whether a turn may go from one state to another. Nothing follows a final state, not even the same state. */
export function isAllowedTransition(from: TurnState, to: TurnState): boolean {
  return !isFinal(from) && allowed[from].includes(to);
}
