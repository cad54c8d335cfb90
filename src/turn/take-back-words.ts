import type { State } from "../memory/state/state.ts";
import { takenBackCode } from "../signal/turn.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import type { RunningTurns } from "./running-turns.ts";
import type { SubmitResult } from "./submit-result.ts";

/** What taking back words that wait needs. */
export type TakeBackWordsParts = EndTurnParts & {
  readonly state: Pick<State, "turns">;
  readonly running: RunningTurns;
};

/** Ends a turn that has not begun: its owner takes the words back. */
export async function takeBackWords(
  parts: TakeBackWordsParts,
  { turn: id, session }: { readonly turn: string; readonly session: string },
): Promise<SubmitResult> {
  const turn = await parts.state.turns.get(id);
  const waits = turn?.state === "queued" && parts.running.inSession(session)?.turn.id !== id;
  if (turn?.session !== session || !waits) {
    const text = "These words do not wait any more. Nothing was taken back.";
    return { kind: "said", code: "not-done", text };
  }
  await finishTurn(parts, turn, {
    state: "stopped",
    code: takenBackCode,
    text: "Taken back before it began.",
  });
  return { kind: "said", code: "taken-back", text: "" };
}
