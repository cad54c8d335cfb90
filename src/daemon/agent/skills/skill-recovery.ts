import type { CallSkill } from "../../../signal/jail-work.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";
import type { SkillRecovery } from "../../../skills/ask-recovery.ts";
import type { RecoveryChoice, RecoveryHandler } from "../../../turn/recovery-handlers.ts";

/** The most skills that are asked about one failure, those of the highest priority: one that loops costs its whole time. */
const mostAsked = 5;

/** The recovery handlers that skills register: one for each that exports `recover`, with its own priority. */
export function recoveryHandlersOf(
  inForce: readonly AcceptedSkill[],
  call: CallSkill,
): readonly RecoveryHandler[] {
  return inForce
    .filter(({ declared }) => declared.recovers === true)
    .map((skill): RecoveryHandler => {
      const { name, priority } = skill.head;
      return {
        name: `of the skill ${name}`,
        priority,
        async decide(error, signal) {
          const { askRecovery } = await import("../../../skills/ask-recovery.ts");
          const recovery = await askRecovery({ skill, call }, error, signal);
          return recovery === null ? null : choiceOf(name, recovery);
        },
      };
    })
    .toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
    .slice(0, mostAsked);
}

function choiceOf(skill: string, { does, label }: SkillRecovery): RecoveryChoice {
  const by = { skill, label };
  if ("answer" in does) return { choice: "use-fallback", text: does.answer, by };
  if ("end" in does) return { choice: "abort-pipeline", reason: does.end, by };
  return { choice: "skip-signal", by };
}
