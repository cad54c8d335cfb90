import type { PreparerParts } from "../../../act/preparer-parts.ts";
import { meterSkills } from "../../../act/tools/skills/meter-skills.ts";
import type { SkillToolPorts } from "../../../act/tools/skills/prepare-skill-tool.ts";
import { makeSkillTool } from "../../../act/tools/skills/skill-tool.ts";
import { guardDeclaration } from "../../../reason/prompt/guard-declaration.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";
import { delegateName } from "../../../signal/sub-task.ts";
import type { Tool } from "../../../signal/tool.ts";
import type { OwnSkills } from "../resources/open-own-skills.ts";

/** The tools of skills, made anew when the skills changed, and what their gates object to. A skill may call every tool but those of skills. */
export function skillParts(
  { inForce, call, askGates, refresh }: Pick<OwnSkills, "inForce" | "call" | "askGates" | "refresh">,
  tools: readonly Tool[],
  permissions: Policy["config"]["permissions"],
): Pick<PreparerParts, "addedTools" | "refreshAdded" | "askTaughtGates"> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const find: SkillToolPorts["find"] = (name) => {
    const tool = name === delegateName ? undefined : byName.get(name);
    if (tool === undefined) return null;
    return { tool, permission: permissions.get(name) ?? permissions.get("*") ?? tool.permission };
  };
  const meter = meterSkills(call);
  const made: { of: readonly AcceptedSkill[]; tools: readonly Tool[] } = { of: [], tools: [] };
  return {
    addedTools() {
      const skills = inForce();
      if (skills !== made.of) {
        made.of = skills;
        made.tools = skills.flatMap((skill) =>
          skill.declared.tools.map((tool) => {
            const made = makeSkillTool(skill, tool, { find, meter });
            return { ...made, ...guardDeclaration(made) };
          }),
        );
      }
      return made.tools;
    },
    refreshAdded: refresh,
    askTaughtGates: askGates,
  };
}
