import type { CallSkill, JailReply } from "../../signal/jail-work.ts";

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
      if (!isFailure(reply)) return reply;
      const { digest, head } = skill;
      const key = `${digest} ${asked.path.join(".")}`;
      const count = (kept.get(key)?.count ?? 0) + 1;
      const input = asked.isPrivate || asked.values.length > longestInput ? null : asked.values;
      const message = asked.isPrivate ? "(It was called with private text.)" : wordsOf(reply);
      kept.delete(key);
      kept.set(key, { skill: head.name, digest, where: asked.path, input, message, count });
      if (kept.size > mostKept) for (const oldest of kept.keys().take(1)) kept.delete(oldest);
      return reply;
    },
    atLeast: (count) => [...kept.values()].filter((failure) => failure.count >= count),
  };
}

function isFailure(reply: JailReply): reply is JailReply & { readonly ok: false } {
  return !reply.ok && reply.code !== "cancelled";
}

/** In short: the words of the jail itself are loaded only where somebody reads them. */
function wordsOf({ code, message }: JailReply & { readonly ok: false }): string {
  return code === "thrown" || code === "jail-failed" ? message.slice(0, 500) : code;
}
