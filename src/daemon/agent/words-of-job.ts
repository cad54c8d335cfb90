import type { KeptJob } from "../../signal/job.ts";
import type { AcceptedSkill } from "../../signal/skill.ts";

/** Whether the words of a job are its owner's own, or why it does not run: the skill that brings it is not in force. */
export function wordsOfJob(
  { work }: Pick<KeptJob, "work">,
  skills: readonly AcceptedSkill[],
): { readonly isOwn: boolean } | { readonly problem: string } {
  if (work.kind !== "words" || work.skill === undefined) return { isOwn: true };
  const skill = skills.find(({ head }) => head.name === work.skill);
  return skill === undefined
    ? { problem: `The skill ${work.skill} is not in force. See: passepartout skill list` }
    : { isOwn: skill.from === null };
}
