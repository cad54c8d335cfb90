import { isOwnSkill, labelOfSkill } from "../../../signal/label-of-skill.ts";
import type { AcceptedSkill, SkillTool } from "../../../signal/skill.ts";
import type { Tool } from "../../../signal/tool.ts";
import type { SkillMeter } from "./meter-skills.ts";
import type { SkillToolPorts } from "./prepare-skill-tool.ts";

/**
 * Makes a tool of a skill, or the one of an actuator. Its function `calls` says which tools it would call,
 * and has no other power: each is prepared by its own tool, and all their effects are judged together, as
 * of this skill. Once they ran, its function `run` makes the result of theirs.
 */
export function makeSkillTool(
  skill: AcceptedSkill,
  tool: SkillTool,
  { meter, ...ports }: Omit<SkillToolPorts, "call"> & { readonly meter: SkillMeter },
): Tool {
  return {
    name: tool.name,
    description: tool.description,
    permission: "allow",
    parameters: tool.parameters,
    // Its own computation in the jail is no further effect.
    ...(tool.effects === undefined ? {} : { declares: { effects: ["evaluate", ...tool.effects] } }),
    ...(isOwnSkill(skill) ? {} : { label: labelOfSkill(skill) }),
    prepare: async (args, caller, labelOf) =>
      (await import("./prepare-skill-tool.ts")).prepareSkillTool(
        { skill, tool, ports: { ...ports, call: meter(caller.subTask?.root ?? caller.turn) } },
        args,
        { caller, labelOf },
      ),
  };
}
