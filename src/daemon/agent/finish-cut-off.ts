import { describeError } from "../../signal/text/describe-error.ts";
import { journalEndedPlans } from "../../turn/journal-ended-plans.ts";
import { buildUndo } from "./build-loop.ts";
import type { LoopResources } from "./resources/loop-resources.ts";

/**
 * Finishes the undo, redo, rewinding or rollback that a former process was killed in. Gives what was done,
 * for the owner.
 */
export async function finishCutOff(resources: LoopResources): Promise<readonly string[]> {
  const { state } = resources;
  if ((await state.begunUndo.get()) === null) return [];
  const { finishBegunUndo } = await import("../commands/finish-undo.ts");
  const undo = buildUndo(resources);
  const parts = {
    ...undo,
    state,
    journalEndedPlans: () => journalEndedPlans({ state, journal: undo.journal }),
  };
  try {
    return await finishBegunUndo(parts);
  } catch (fault) {
    const why = describeError(fault);
    return [
      `Passepartout ended in the middle of an undo, and could not finish it: ${why}. /undo undoes the rest.`,
    ];
  }
}
