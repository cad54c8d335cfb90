import type { CallSkill, JailReply, SkillCall } from "../../signal/jail-work.ts";
import { joinLabels } from "../../signal/label.ts";
import { labelOfSkill } from "../../signal/label-of-skill.ts";
import type { SkillFailure } from "../../signal/skill-failure.ts";
import { beginOf } from "../../text/cut-text.ts";

const longestInput = 2000;

/** Wraps calls so that each failure is recorded. Private input and its message are not recorded. */
export function watchFailures(
  call: CallSkill,
  keep: (failure: Omit<SkillFailure, "count">) => Promise<void>,
): CallSkill {
  return async (skill, asked, cancel) => {
    const reply = await call(skill, asked, cancel);
    const problem = await problemOf(reply, asked);
    if (problem === null) return reply;
    const { digest, head } = skill;
    const { label, path, values, replies } = asked;
    const isPrivate = label.secrecy !== "public";
    await keep({
      skill: head.name,
      digest,
      where: path,
      // A test cannot call a function with the replies that a generator was given.
      input: isPrivate || values.length > longestInput || replies !== undefined ? null : values,
      message: isPrivate ? "(It was called with private text.)" : problem,
      label: joinLabels({ ...label, secrecy: "public" }, labelOfSkill(skill)),
    });
    return reply;
  };
}

/** The reason why a call failed, in short; null if it succeeded. An unreadable answer of a gate is a failure. */
async function problemOf(reply: JailReply, { path: [kind] }: SkillCall): Promise<string | null> {
  if (!reply.ok) {
    const { code, message } = reply;
    if (code === "cancelled") return null;
    return code === "thrown" || code === "jail-failed" ? beginOf(message, 500) : code;
  }
  if (kind !== "gates") return null;
  const { readGateAnswer, wrongAnswer } = await import("../ask-gates.ts");
  return readGateAnswer(reply.json) === undefined ? wrongAnswer : null;
}
