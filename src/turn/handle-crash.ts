import type { State } from "../memory/state/state.ts";
import { PassepartoutError, PipelineError } from "../signal/failure.ts";
import { isFinal, type Turn } from "../signal/turn.ts";
import { describeError } from "../text/describe-error.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** What ending a crashed turn needs. */
export type HandleCrashParts = EndTurnParts & {
  readonly state: Pick<State, "turns">;
  readonly journal: AppendToJournal;
  /** Undoes the turn's own changes where the digest after still stands. Gives the conflicts that it left. */
  readonly revert: (turn: Turn) => Promise<readonly string[]>;
  readonly report: (message: string) => void;
};

/** The greatest depth of a signal whose crash is recorded as a `loop-error`. A deeper crash is only told. */
const deepestLoopError = 1;

/**
 * Ends a turn whose stage threw: its own changes are reverted, a `loop-error` is recorded, and the person is told.
 * A `loop-error` never reaches a model.
 */
export async function handleCrash(parts: HandleCrashParts, id: string, error: unknown): Promise<void> {
  const message = parts.filter(describeError(error));
  const turn = await parts.state.turns.get(id);
  const isOver = turn === null || isFinal(turn.state);
  // The state takes no step of a turn that somebody ended meanwhile.
  if (!isOver || !(error instanceof PipelineError)) parts.report(`A stage failed in turn ${id}: ${message}`);
  if (isOver) return;
  const conflicts = await revertChanges(parts, turn);
  const kept =
    conflicts.length === 0 ? "" : ` Not undone, because it changed since: ${conflicts.join(", ")}.`;
  await parts.journal({
    kind: "note",
    turn: turn.id,
    session: turn.session,
    detail: {
      event: turn.signal.depth <= deepestLoopError ? "loop-error" : "crash",
      sensor: turn.signal.sensor,
      depth: turn.signal.depth,
      error: error instanceof PassepartoutError ? error.name : "Error",
      conflicts: conflicts.length,
    },
  });
  await finishTurn(parts, turn, {
    state: "failed",
    code: "loop-error",
    text: `An internal error ended this turn: ${message}. Its changes were undone.${kept} Say it again, or run \`passepartout doctor\`.`,
  });
}

/** Undoes the changes of a turn, and gives the conflicts. Where undoing itself fails, that is a conflict, and the turn still ends. */
async function revertChanges(parts: HandleCrashParts, turn: Turn): Promise<readonly string[]> {
  try {
    return await parts.revert(turn);
  } catch (error) {
    const why = parts.filter(describeError(error));
    parts.report(`The changes of turn ${turn.id} could not be undone: ${why}`);
    return [`its changes (${why})`];
  }
}
