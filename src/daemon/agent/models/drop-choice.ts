import type { State } from "../../../memory/state/state.ts";
import type { Policy } from "../../../settings/policy.ts";
import { choiceIn } from "../../../signal/chosen-model.ts";
import { nameOfModel } from "../../../signal/model-route.ts";
import { consensusRoute } from "../../../signal/spending.ts";
import type { Turn } from "../../../signal/turn.ts";
import { escapeInvisible } from "../../../text/escape-invisible.ts";
import type { AppendToJournal } from "../../../turn/step-ports.ts";
import { ownerRoute } from "./route-turn.ts";

/** What taking back a choice needs. */
export type DropChoiceParts = {
  readonly policy: Pick<Policy, "cascade">;
  readonly state: { readonly chosenModels: State["chosenModels"] };
  readonly journal: AppendToJournal;
};

/**
 * Takes back the model that the owner chose for the session of a turn where its provider left the order, and
 * tells the owner; null where nothing is taken back. A turn that
 * keeps the choice takes nothing back, nor does one that nobody reads.
 */
export async function dropChoice(
  { policy, state, journal }: DropChoiceParts,
  { session, signal, route }: Turn,
): Promise<string | null> {
  if (signal.person !== "owner" || route?.by === ownerRoute || route?.by === consensusRoute) return null;
  const chosen = await state.chosenModels.of(session);
  if (chosen === null || choiceIn(policy.cascade().order, chosen) !== null) return null;
  await journal({ kind: "note", session, detail: { event: "model-chosen", chosen: null } });
  await state.chosenModels.choose(session, null);
  return escapeInvisible(
    `${nameOfModel(chosen)}, which this session chose, is not in PROVIDER_CASCADE now, so it is not asked: this session asks as the settings say again.`,
  );
}
