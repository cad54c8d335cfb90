import { labelOfKeptWords } from "../../../memory/notes/labels/label-of-words.ts";
import type { KeptJob } from "../../../signal/jobs/job.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { labelOfSkill } from "../../../signal/label-of-skill.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";

/**
 * The label of the words of a job, also by privacy tags in them or at their entry; or why it does not run:
 * the skill that brings it is not in force.
 */
export function wordsOfJob(
  { work }: Pick<KeptJob, "work">,
  skills: readonly AcceptedSkill[],
  privacyTags: readonly string[],
): { readonly label: Label } | { readonly problem: string } {
  if (work.kind !== "words") return { label: bottomLabel };
  const label = labelOfKeptWords(work, privacyTags);
  if (work.skill === undefined) return { label };
  const skill = skills.find(({ head }) => head.name === work.skill);
  return skill === undefined
    ? { problem: `The skill ${work.skill} is not in force. See: passepartout skill list` }
    : { label: joinLabels(label, labelOfSkill(skill)) };
}
