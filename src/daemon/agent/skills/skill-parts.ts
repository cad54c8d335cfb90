import { type Actuator, type ActuatorRegistry, withoutClashes } from "../../../act/actuators.ts";
import { makeToolActuator } from "../../../act/built-in-actuators.ts";
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

/** What skills bring, as they are now. */
type Brought = { of: readonly AcceptedSkill[]; tools: readonly Tool[]; actuators: readonly Actuator[] };

/**
 * The tools and actuators of skills, made anew when the skills changed, and what their gates object to. A
 * skill may call every tool but those of skills.
 */
export function skillParts(
  { inForce, call, askGates, refresh }: Pick<OwnSkills, "inForce" | "call" | "askGates" | "refresh">,
  { tools, actuators }: { readonly tools: readonly Tool[]; readonly actuators: ActuatorRegistry },
  permissions: Policy["config"]["permissions"],
): Pick<PreparerParts, "addedTools" | "refreshAdded" | "askTaughtGates"> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const find: SkillToolPorts["find"] = (name) => {
    const tool = name === delegateName ? undefined : byName.get(name);
    if (tool === undefined) return null;
    return { tool, permission: permissions.get(name) ?? permissions.get("*") ?? tool.permission };
  };
  const meter = meterSkills(call);
  const made: Brought = { of: [], tools: [], actuators: [] };
  const brought = (): Brought => {
    const skills = inForce();
    if (skills === made.of) return made;
    const all = skills.flatMap((skill) =>
      skill.declared.tools.map((tool): Tool => {
        const made = makeSkillTool(skill, tool, { find, meter });
        return { ...made, ...guardDeclaration(made) };
      }),
    );
    const free = withoutClashes(all, []);
    return Object.assign(made, {
      of: skills,
      tools: free,
      actuators: free.flatMap((tool) =>
        tool.declares === undefined ? [] : [makeToolActuator({ ...tool, declares: tool.declares })],
      ),
    });
  };
  actuators.register(() => brought().actuators);
  return {
    addedTools: () => brought().tools,
    refreshAdded: refresh,
    askTaughtGates: askGates,
  };
}
