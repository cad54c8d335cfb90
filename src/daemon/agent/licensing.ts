import type { LoopParts } from "../../turn/turn-loop.ts";
import { adviseQuestion, observeAnswer } from "../commands/rule-commands.ts";
import type { LoopResources } from "./resources/loop-resources.ts";

/** What spares the owner a question, and learns from their answers. */
export function licensing({ policy, state }: LoopResources) {
  return {
    licencesOfRules: policy.rules.licencesFor,
    allowanceOfPlan: async (session, call) => {
      const plan = await state.flightPlans.of(session);
      return plan === null || plan.held ? null : policy.allowanceOfPlan(plan, call);
    },
    adviseQuestion: (approval) => adviseQuestion({ state, policy, filter: policy.filter }, approval),
    observeAnswer: (approval, yes) => observeAnswer({ state, policy }, approval, yes),
  } satisfies Partial<LoopParts>;
}
