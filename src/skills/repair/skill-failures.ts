import type { CallSkill, JailReply, SkillCall } from "../../signal/jail-work.ts";

/** How often, where and with which input a version of a skill failed. */
export type SkillFailure = {
  readonly skill: string;
  /** The SHA-256 of the version that failed. */
  readonly digest: string;
  /** The path of the exported function: `tools.roll.run`. */
  readonly where: readonly string[];
  /** The JSON array that it was called with last; null where it was private, or too long. */
  readonly input: string | null;
  readonly message: string;
  readonly count: number;
};

/** The failures since the agent started. */
export type SkillFailures = {
  /** Calls as before, and counts what fails. */
  readonly watch: (call: CallSkill) => CallSkill;
  /** The failures that happened at least so often, each once for each version and function. */
  readonly atLeast: (count: number) => readonly SkillFailure[];
};

const longestInput = 2000;
const mostKept = 200;

/** Counts the failures of skills, in memory alone. */
export function makeSkillFailures(): SkillFailures {
  const kept = new Map<string, SkillFailure>();
  return {
    watch: (call) => async (skill, asked, cancel) => {
      const reply = await call(skill, asked, cancel);
      const problem = await problemOf(reply, asked);
      if (problem === null) return reply;
      const { digest, head } = skill;
      const key = `${digest} ${asked.path.join(".")}`;
      const count = (kept.get(key)?.count ?? 0) + 1;
      const input = asked.isPrivate || asked.values.length > longestInput ? null : asked.values;
      const message = asked.isPrivate ? "(It was called with private text.)" : problem;
      kept.delete(key);
      kept.set(key, { skill: head.name, digest, where: asked.path, input, message, count });
      if (kept.size > mostKept) for (const oldest of kept.keys().take(1)) kept.delete(oldest);
      return reply;
    },
    atLeast: (count) => [...kept.values()].filter((failure) => failure.count >= count),
  };
}

/** Why a call failed, in short; null where it did not. The answer of a gate fails where nobody can read it. */
async function problemOf(reply: JailReply, { path: [kind] }: SkillCall): Promise<string | null> {
  if (!reply.ok) {
    const { code, message } = reply;
    if (code === "cancelled") return null;
    return code === "thrown" || code === "jail-failed" ? message.slice(0, 500) : code;
  }
  if (kind !== "gates") return null;
  const { readGateAnswer, wrongAnswer } = await import("../ask-gates.ts");
  return readGateAnswer(reply.json) === undefined ? wrongAnswer : null;
}
