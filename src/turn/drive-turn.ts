import { isFinal, stoppedCode, type Turn } from "../signal/turn.ts";
import { finishTurn } from "./end-turn.ts";
import type { RunCallsParts } from "./run-calls.ts";
import { type ThinkStepParts, thinkStep } from "./think-step.ts";

/** What taking a turn through its states needs. */
export type DriveTurnParts = ThinkStepParts &
  RunCallsParts & {
    /** Aborted when the process is closing: a turn that is cancelled then stays on the disk as it is. */
    readonly closing: AbortSignal;
  };

/** Takes a turn through its states, each committed before the next begins (`docs/durability.md` says what is on the disk when), until it is final, suspended or the process closes. */
export async function driveTurn(parts: DriveTurnParts, turn: Turn, cancel: AbortSignal): Promise<void> {
  let current: Turn | null = turn;
  while (current !== null && !isFinal(current.state)) {
    current = cancel.aborted ? await cancelTurn(parts, current) : await nextState(parts, current, cancel);
  }
}

/** The turn in its next state; null where it rests. */
async function nextState(parts: DriveTurnParts, turn: Turn, cancel: AbortSignal): Promise<Turn | null> {
  switch (turn.state) {
    case "queued":
    case "thinking":
      return thinkStep(parts, turn, cancel);
    case "judging":
    case "acting":
      return (await import("./run-calls.ts")).runCalls(parts, turn, cancel);
    case "suspended":
    case "answered":
    case "blocked":
    case "failed":
    case "stopped":
      return null;
  }
}

/** Ends a cancelled turn; null where the process is closing, and the turn stays on the disk as it is. */
async function cancelTurn(parts: DriveTurnParts, turn: Turn): Promise<Turn | null> {
  if (parts.closing.aborted) return null;
  return finishTurn(parts, turn, { state: "stopped", code: stoppedCode, text: "Stopped." });
}
