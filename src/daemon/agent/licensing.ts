import type { LoopParts } from "../../turn/turn-loop.ts";
import { adviseQuestion, observeAnswer } from "../commands/rule-commands.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { makeIsUnlinked } from "./resources/unlinked-chats.ts";

/** What spares the owner a question, and learns from their answers; and whose words are theirs no more. */
export function licensing({ policy, state, untold }: LoopResources) {
  return {
    isUnlinked: makeIsUnlinked({ policy, state }),
    tellOwner: untold.tell,
    licencesOfRules: policy.rules.licencesFor,
    allowanceOfPlan: async (session, call) => {
      const plan = await state.flightPlans.of(session);
      return plan === null || plan.held ? null : policy.allowanceOfPlan(plan, call);
    },
    adviseQuestion: (approval) => adviseQuestion({ state, policy, filter: policy.filter }, approval),
    observeAnswer: (approval, yes) => observeAnswer({ state, policy }, approval, yes),
  } satisfies Partial<LoopParts>;
}
