import { openState } from "../memory/state/open-state.ts";
import { labelOfTexts } from "../memory/state/origins.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import type { Policy } from "../settings/policy.ts";
import { bottomLabel } from "../signal/label.ts";
import type { LabelPieces } from "../skills/label-of-version.ts";

/** Looks up where texts came from in the state of this user, each time anew; where there is no state yet nothing is known. */
export function openPieceLabels({ config, gatesHash }: Pick<Policy, "config" | "gatesHash">): LabelPieces {
  const folder = config.places.state;
  return async (pieces) => {
    try {
      await using state = await openState({ folder, clock: Date.now, gates: gatesHash, access: "read" });
      return await labelOfTexts(state.origins, pieces);
    } catch (error) {
      if (!(error instanceof StateProblem && error.code === "missing")) throw error;
      return bottomLabel;
    }
  };
}
