import { describeError } from "../../text/describe-error.ts";
import { journalEndedPlans } from "../../turn/journal-ended-plans.ts";
import { buildUndo } from "./build-loop.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { makeMemoryPorts } from "./tools/memory-ports.ts";

/**
 * Labels what command lines made that a former process was killed in, and finishes its undo, redo, rewinding
 * or rollback. Gives what was done, for the owner.
 */
export async function finishCutOff(resources: LoopResources): Promise<readonly string[]> {
  const { state } = resources;
  await labelKilledLines(resources);
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

async function labelKilledLines(resources: LoopResources): Promise<void> {
  const { state, policy } = resources;
  if ((await state.unlabelledWrites.all()).length === 0) return;
  const { labelLeft } = await import("../../act/tools/shell/label-written.ts");
  const { folders, isSecretPath, config } = policy;
  const { origins } = makeMemoryPorts({ ...resources, privacyTags: config.privacyTags });
  await labelLeft(state.unlabelledWrites, { folders, isSecretPath, origins });
}
