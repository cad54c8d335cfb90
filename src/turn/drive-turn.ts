import { isFinal, type LostRight, stoppedCode, type Turn } from "../signal/turn.ts";
import { beginOf } from "../text/cut-text.ts";
import { finishTurn } from "./end-turn.ts";
import type { RunCallsParts } from "./run-calls.ts";
import { type ThinkStepParts, thinkStep } from "./think-step.ts";

/** What taking a turn through its states needs. */
export type DriveTurnParts = ThinkStepParts &
  RunCallsParts & {
    /** What the owner took away since, on which a turn stands; null while all of it holds. */
    readonly findLostRight: (turn: Turn) => Promise<LostRight | null>;
    /** Tells the owner, in whatever session. */
    readonly tellOwner: (text: string) => Promise<void>;
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
  const lost = turn.running === null ? await parts.findLostRight(turn) : null;
  if (lost !== null) return endWithoutRight(parts, turn, lost);
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

/**
 * Ends a turn that stood on what its owner took away, begun or not. They are told wherever they are; of
 * a job by the result of its run.
 */
async function endWithoutRight(
  parts: DriveTurnParts,
  turn: Turn,
  { code, reason }: LostRight,
): Promise<Turn> {
  const { person, text: words } = turn.signal;
  const what = turn.state === "queued" ? "was not begun" : "goes on no further";
  const text = `${reason}, so it ${what}: ${beginOf(parts.filter(words), longestWords)}`;
  const ended = await finishTurn(parts, turn, { state: "stopped", code, text });
  if (person === "owner") await parts.tellOwner(text);
  return ended;
}

/** Characters of words that are told. */
const longestWords = 80;

/** Ends a cancelled turn; null where the process is closing, and the turn stays on the disk as it is. */
async function cancelTurn(parts: DriveTurnParts, turn: Turn): Promise<Turn | null> {
  if (parts.closing.aborted) return null;
  return finishTurn(parts, turn, { state: "stopped", code: stoppedCode, text: "Stopped." });
}
