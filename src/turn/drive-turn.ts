import { isFinal, stoppedCode, type Turn, unlinkedCode } from "../signal/turn.ts";
import { beginOf } from "../text/cut-text.ts";
import { finishTurn } from "./end-turn.ts";
import type { RunCallsParts } from "./run-calls.ts";
import { type ThinkStepParts, thinkStep } from "./think-step.ts";

/** What taking a turn through its states needs. */
export type DriveTurnParts = ThinkStepParts &
  RunCallsParts & {
    /** Whether what a turn works for was said in a chat that its owner unlinked since. */
    readonly isUnlinked: (turn: Turn) => Promise<boolean>;
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
  if (turn.running === null && (await parts.isUnlinked(turn))) return endUnlinked(parts, turn);
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

/** Ends a turn whose words are a stranger's by now, begun or not. Its owner is told wherever they are. */
async function endUnlinked(parts: DriveTurnParts, turn: Turn): Promise<Turn> {
  const { source, person, text: words } = turn.signal;
  const what = turn.state === "queued" ? "was not begun" : "goes on no further";
  const text = `The chat of ${source} in which this was said is not linked any more, so it ${what}: ${beginOf(parts.filter(words), longestWords)}`;
  const ended = await finishTurn(parts, turn, { state: "stopped", code: unlinkedCode, text });
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
