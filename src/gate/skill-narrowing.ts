import type { Effect } from "../signal/effect.ts";
import type { SkillNarrowing } from "../signal/skill.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** The tools by which a model gets to know more of what it may use, and nothing else. */
const always: ReadonlySet<string> = new Set(["use-skill", "find-tools"]);

/**
 * A skill whose `SKILL.md` names the tools that it needs makes each call of another one ask in the turn that
 * it takes part in. It allows nothing.
 */
export const skillNarrowing: Gate = {
  name: "skill-narrowing",
  priority: 790,
  revision: 2,
  answer(effect, { action }) {
    const { narrowed = [], kind, tool } = action;
    if (narrowed.length === 0 || kind !== "proposal" || (tool !== null && always.has(tool)))
      return { result: "not-concerned" };
    if (narrowed.some(({ skill }) => skill.trim() === ""))
      return { result: "block", code: "malformed-narrowing", reason: "a skill without a name takes part" };
    const narrowing = narrowed.find((one) => !isAllowed(one, tool, effect));
    if (narrowing === undefined) return { result: "passed", reason: "the skills that take part name it" };
    const names = narrowing.tools.map(({ tool, argv = [] }) => [tool, ...argv].map(oneLine).join(" "));
    return {
      result: "ask",
      code: "not-allowed-by-skill",
      reason: `the skill ${oneLine(narrowing.skill)} takes part, and its allowed-tools do not name ${oneLine(tool ?? action.target)} for ${oneLine(effect.target)}: ${names.join(", ") || "none"}`,
    };
  },
};

/** Of a program the arguments count; whatever else a call does is judged by the other gates. */
function isAllowed({ tools }: SkillNarrowing, tool: string | null, effect: Effect): boolean {
  return tools.some(({ tool: name, argv, whole }) => {
    if (name !== tool) return false;
    if (argv === undefined || effect.kind !== "run-program") return true;
    const begins = argv.every((word, index) => effect.argv[index] === word);
    return begins && (whole !== true || effect.argv.length === argv.length);
  });
}
