import { isFinal, type OpenState, type TurnState } from "../../signal/turn.ts";

const finals: readonly TurnState[] = ["answered", "blocked", "failed", "stopped"];

/** Every state that a turn can be in. */
export const turnStates: readonly TurnState[] = [
  "queued",
  "thinking",
  "judging",
  "suspended",
  "acting",
  ...finals,
];

/** Where a turn may go from each open state. A state may be kept while its contents grow. */
const allowed: Readonly<Record<OpenState, readonly TurnState[]>> = {
  queued: ["queued", "thinking", "judging", ...finals],
  thinking: ["thinking", "judging", "suspended", ...finals],
  judging: ["judging", "thinking", "suspended", "acting", ...finals],
  suspended: ["suspended", "thinking", "judging", "acting", ...finals],
  acting: ["acting", "thinking", "judging", "suspended", ...finals],
};

/** True if a turn may go from one state to the other. A final state is never left, not even for itself. */
export function isAllowedTransition(from: TurnState, to: TurnState): boolean {
  return !isFinal(from) && allowed[from].includes(to);
}
