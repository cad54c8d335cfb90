import type { PlannedStep } from "../../../signal/effect.ts";
import type { FlightPlan } from "../../../signal/flight-plan.ts";

/** The flight plan of a run that is only judged: no step of it was used. */
export function planOfSteps(
  steps: readonly PlannedStep[],
  where: Pick<FlightPlan, "session" | "workspace" | "since" | "until">,
): FlightPlan {
  const unused = steps.map((step) => ({ ...step, used: 0 }));
  return { id: "dry-run", steps: unused, ...where, spendingCap: null, held: false, heldBy: null };
}
