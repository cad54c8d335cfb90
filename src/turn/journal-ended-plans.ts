import type { State } from "../memory/state/state.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** What journalling the end of flight plans needs. */
export type EndedPlanParts = {
  readonly state: Pick<State, "flightPlans">;
  readonly journal: AppendToJournal;
};

/** Journals how each flight plan ended that did since the last time. */
export async function journalEndedPlans({ state, journal }: EndedPlanParts): Promise<void> {
  for (const { id, session, end } of await state.flightPlans.takeEnded())
    await journal({ kind: "note", session, detail: { event: `flight-plan-${end}`, plan: id } });
}
