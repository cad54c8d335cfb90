import type { State } from "../../memory/state/state.ts";
import { formatDuration } from "../../signal/format-duration.ts";
import { formatSteps } from "../../signal/format-plan.ts";
import type { AppendToJournal } from "../../turn/step-ports.ts";

/** What the commands about flight plans need. */
export type PlanParts = {
  readonly state: Pick<State, "flightPlans">;
  readonly journal: AppendToJournal;
};

type Reply = { readonly code: string; readonly text: string };

const none: Reply = {
  code: "no-plan",
  text: "This session has no flight plan. The agent proposes one for a job of several steps; it counts after your yes.",
};

/** Shows the flight plan of a session, with how often each step was used. */
export async function showPlan({ state }: PlanParts, session: string): Promise<Reply> {
  const plan = await state.flightPlans.of(session);
  if (plan === null) return none;
  const text = [
    "The flight plan of this session:",
    ...formatSteps(plan.steps),
    `It ends in ${formatDuration(plan.until - Date.now())}. End it now: /plan drop`,
  ];
  return { code: "plan", text: text.join("\n") };
}

/** Ends the flight plan of a session. */
export async function dropPlan({ state, journal }: PlanParts, session: string): Promise<Reply> {
  if (!(await state.flightPlans.drop(session))) return none;
  await journal({ kind: "note", session, detail: { event: "flight-plan-dropped" } });
  return { code: "plan-dropped", text: "The flight plan has ended. Each further step asks you again." };
}
