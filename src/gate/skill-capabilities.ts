import type { Effect } from "../signal/effect.ts";
import type { SkillOrigin } from "../signal/skill.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";
import { isInsideFolded } from "./path.ts";

/** A skill does only what it declared and the owner accepted: it calls no other tool, and a tool with a host, a folder or a program behind it only there. Its own evaluation in the jail needs no capability. */
export const skillCapabilities: Gate = {
  name: "skill-capabilities",
  priority: 800,
  revision: 1,
  answer(effect, { action, folders }, index) {
    const { skill } = action;
    if (skill === undefined || (index === 0 && effect.kind === "evaluate" && effect.jailed))
      return { result: "not-concerned" };
    const call = skill.calls.find(({ from, to }) => from <= index && index < to);
    if (call !== undefined && isDeclared({ skill, tool: call.tool }, effect, folders.home))
      return { result: "passed", reason: `the skill ${oneLine(skill.name)} declared it` };
    const called = oneLine(call?.tool ?? "nothing");
    return {
      result: "block",
      code: "not-declared",
      reason: `the skill ${oneLine(skill.name)} would use ${called} for ${oneLine(effect.target)}, which its capabilities do not name: ${skill.capabilities.map(oneLine).join(", ") || "none"}`,
    };
  },
};

type Use = { readonly skill: SkillOrigin; readonly tool: string };

function isDeclared({ skill, tool }: Use, effect: Effect, home: string): boolean {
  return skill.capabilities.some((capability) => {
    const colon = capability.indexOf(":");
    const name = colon < 0 ? capability : capability.slice(0, colon);
    return name === tool && (colon < 0 || isWithin(effect, capability.slice(colon + 1), home));
  });
}

/** Whether an effect stays within the limit of a capability. What has no such limit is outside of it. */
function isWithin(effect: Effect, limit: string, home: string): boolean {
  switch (effect.kind) {
    case "reach-host":
      return effect.target.toLowerCase() === limit.toLowerCase();
    case "run-program":
      return effect.argv[0] === limit;
    case "read-path":
    case "write-path":
    case "delete-path":
      return isInsideFolded(limit.replace(/^~(?=\/|$)/, home), effect.target);
    case "tell-person":
    case "call-model":
    case "change-memory":
    case "evaluate":
    case "use-service":
      return false;
    default:
      return effect satisfies never;
  }
}
