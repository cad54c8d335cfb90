import { journalEndedPlans } from "../../turn/journal-ended-plans.ts";
import { buildUndo } from "./build-loop.ts";
import type { LoopResources } from "./resources/loop-resources.ts";

/** Finishes the rewindings that a former process was killed in. Gives what was done, for the owner. */
export async function finishCutOff(resources: LoopResources): Promise<readonly string[]> {
  const { state } = resources;
  if ((await state.rewindings.begun()).length === 0) return [];
  const { finishRewindings } = await import("../commands/rewind-commands.ts");
  const undo = buildUndo(resources);
  return finishRewindings({
    ...undo,
    state,
    journalEndedPlans: () => journalEndedPlans({ state, journal: undo.journal }),
  });
}
