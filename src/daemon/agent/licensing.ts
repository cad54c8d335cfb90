import type { PlannedStep } from "../../signal/effect.ts";
import { type FlightPlan, planSessionOfJob } from "../../signal/flight-plan.ts";
import type { LoopParts } from "../../turn/turn-loop.ts";
import { adviseQuestion, observeAnswer } from "../commands/rule-commands.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { makeFindLostRight } from "./resources/lost-right.ts";

/** What spares the owner a question, and learns from their answers; and whose words are theirs no more. */
export function licensing({ policy, state, skills, untold }: LoopResources) {
  return {
    findLostRight: makeFindLostRight({ policy, state, skills }),
    tellOwner: untold.tell,
    licencesOfRules: policy.rules.licencesFor,
    allowanceOfPlan: async (session, call) => {
      const plan = await state.flightPlans.of(session);
      if (plan === null || plan.held) return null;
      return policy.allowanceOfPlan(await withStepsOfNow(state, plan), call);
    },
    adviseQuestion: (approval) => adviseQuestion({ state, policy, filter: policy.filter }, approval),
    observeAnswer: (approval, yes) => observeAnswer({ state, policy }, approval, yes),
  } satisfies Partial<LoopParts>;
}

/** A plan; that of a run of a job without the steps that the job is not allowed any more. */
async function withStepsOfNow({ jobs }: LoopResources["state"], plan: FlightPlan): Promise<FlightPlan> {
  if (!plan.session.endsWith(planSessionOfJob(""))) return plan;
  const works = (await jobs.all()).flatMap(({ work }) => (work.kind === "words" ? [work] : []));
  const now = works.find(({ session }) => planSessionOfJob(session) === plan.session)?.steps ?? [];
  const isAllowed = ({ words }: PlannedStep): boolean => now.some((step) => step.words === words);
  return {
    ...plan,
    steps: plan.steps.map((step) => (isAllowed(step) ? step : { ...step, used: step.times })),
  };
}
