import type { Policy } from "../../../settings/policy.ts";
import { commandOf, pathOf } from "../../../shown/action-text.ts";
import type { Action } from "../../../signal/action.ts";
import type { PlannedStep } from "../../../signal/effect.ts";
import { isJsonObject } from "../../../text/json.ts";
import type { CallWithVerdict } from "../../../turn/judge-call.ts";
import { planOfSteps } from "./plan-of-steps.ts";

/** What finding the step that allows a call needs. */
export type StepAllowingParts = {
  readonly policy: Pick<Policy, "allowanceOfPlan">;
  readonly planSteps: (
    words: readonly string[],
    where: { readonly session: string; readonly workspace: string | null },
  ) => Promise<
    | { readonly ok: true; readonly steps: readonly PlannedStep[] }
    | { readonly ok: false; readonly message: string }
  >;
};

/**
 * The step that would allow a job to make a call that asks, as the owner writes it into the job's entry;
 * null where no step allows all that the call asks.
 */
export async function findStepAllowing(
  { policy, planSteps }: StepAllowingParts,
  session: string,
  { prepared: { action, effects, facts }, verdict: { asks } }: CallWithVerdict,
): Promise<string | null> {
  const { workspace } = facts.folders;
  const words = stepOf(action);
  if (words === null || /[\r\n]/.test(words)) return null;
  const planned = await planSteps([words], { session, workspace });
  if (!planned.ok) return null;
  const plan = planOfSteps(planned.steps, { session, workspace, since: 0, until: 1 });
  const command = commandOf(action);
  return policy.allowanceOfPlan(plan, { workspace, command, effects, asks }) === null ? null : words;
}

/** An action in the words of a step; null for one that no step names. */
function stepOf(action: Action): string | null {
  const command = commandOf(action);
  if (command !== null) return `run ${command}`;
  const { tool, args = {} } = action.payload;
  if (action.target !== "tool" || typeof tool !== "string" || !isJsonObject(args)) return null;
  const path = pathOf(action);
  switch (tool) {
    case "write-file":
    case "edit-file":
      return path === null ? null : `write ${path}`;
    case "read-file":
      return path === null ? null : `read ${path}`;
    case "fetch-url":
      return typeof args["url"] === "string" ? `fetch ${args["url"]}` : null;
    default:
      return `call ${tool} ${JSON.stringify(args)}`;
  }
}
