import type { ProposePlanPorts } from "../../../act/tools/prepare-propose-plan.ts";
import type { Policy } from "../../../settings/policy.ts";

/** Judges a step of a flight plan as its call would be judged. */
export function makeStepJudge(
  policy: Pick<Policy, "judge" | "makeFacts" | "verdictOnStep">,
  sandbox: boolean,
): ProposePlanPorts["judgeStep"] {
  return (
    { command, keeps, effects, flows, licences = [] },
    { person, source, session, startedBy, workspace },
  ) => {
    const facts = policy.makeFacts({
      action: { kind: "proposal", target: "tool", tool: null, explanation: "a step of a plan", problems: [] },
      origin: { person, source, session, startedBy },
      workspace,
      sandbox,
      licences,
      ...(flows === undefined ? {} : { flows }),
    });
    const step = { command, effects, ...(keeps === undefined ? {} : { keeps }) };
    return policy.verdictOnStep(step, workspace, policy.judge(effects, facts));
  };
}
