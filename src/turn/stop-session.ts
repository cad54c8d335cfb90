import type { State } from "../memory/state/state.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import { type EndedPlanParts, journalEndedPlans } from "./journal-ended-plans.ts";
import type { RunningTurns } from "./running-turns.ts";

/** What stopping a session needs. */
export type StopSessionParts = EndTurnParts &
  EndedPlanParts & {
    readonly state: Pick<State, "turns" | "flightPlans">;
    readonly running: RunningTurns;
  };

/** Cancels the turn that runs in a session, ends those that wait behind it, and ends its flight plan. False where there was none. */
export async function stopSession(
  parts: StopSessionParts,
  session: string,
  { questionsToo }: { readonly questionsToo: boolean },
): Promise<boolean> {
  const current = parts.running.inSession(session);
  current?.cancel.abort(new Error("stopped by the owner"));
  let any = (await parts.state.flightPlans.drop(session)) || current !== undefined;
  await journalEndedPlans(parts);
  for (const turn of await parts.state.turns.unfinished()) {
    if (turn.session !== session || turn.id === current?.turn.id) continue;
    if (turn.state === "suspended" && !questionsToo) continue;
    any = true;
    await finishTurn(parts, turn, {
      state: "stopped",
      code: "stopped",
      text: `Stopped before it began or was decided: ${turn.signal.text.slice(0, 80)}`,
    });
  }
  return any;
}
