import { isFinal, type Turn } from "../signal/turn.ts";
import { describeError } from "../text/describe-error.ts";
import { type DriveTurnParts, driveTurn } from "./drive-turn.ts";
import { type HandleCrashParts, handleCrash } from "./handle-crash.ts";
import type { RunningTurns } from "./running-turns.ts";

/** What running a queued turn needs. */
export type RunTurnParts = DriveTurnParts & HandleCrashParts & { readonly running: RunningTurns };

/** Runs a queued turn, unless it has ended, waits for an answer, or the process is closing. A crash ends the turn. */
export async function runTurn(parts: RunTurnParts, id: string): Promise<void> {
  const turn = await parts.state.turns.get(id);
  if (turn === null || isFinal(turn.state) || parts.closing.aborted) return;
  if (turn.state === "suspended" && turn.approved === null) return;
  const cancel = parts.running.begin(turn);
  try {
    await driveTurn(parts, turn, cancel);
  } catch (error) {
    await endCrashedTurn(parts, turn, error);
  } finally {
    parts.running.end(turn);
  }
}

/** Where not even the crash can be written down, the clients are told, and a later beat resumes the turn. */
async function endCrashedTurn(parts: RunTurnParts, { id, session }: Turn, error: unknown): Promise<void> {
  try {
    await handleCrash(parts, id, error);
  } catch (fault) {
    const why = parts.filter(describeError(fault));
    parts.report(`The end of turn ${id} could not be saved: ${why}`);
    const reason = `An internal error stopped this turn, and its end could not be saved: ${why}. The turn goes on when that is possible.`;
    parts.emit({ type: "failed", session, turn: id, code: "loop-error", reason });
  }
}
