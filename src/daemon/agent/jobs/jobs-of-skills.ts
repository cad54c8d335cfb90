import { printJob, type ReadJob, readWrittenJobs } from "../../../notes/own-jobs.ts";
import { labelOfSkill } from "../../../signal/label-of-skill.ts";
import type { AcceptedSkill } from "../../../signal/skill.ts";

/** The jobs that skills in force bring, as entries that their owner approves one by one. A skill allows its job nothing. */
export function jobsOfSkills(skills: readonly AcceptedSkill[]): readonly ReadJob[] {
  return skills.flatMap((skill): readonly ReadJob[] => {
    const { head, declared } = skill;
    const { name, hooks, crons, job } = head;
    if (job === undefined) return [];
    const named = `skill-${name}`.slice(0, 40);
    const wrong = (problem: string): readonly ReadJob[] => [{ ok: false, name: named, problem, skill: name }];
    if (crons.length > 1) return wrong("it has several #+CRON: lines; write one");
    if (/^\*|^\s*- ALLOW: /m.test(job.text))
      return wrong("a line of its job begins with a star or - ALLOW:, which only its owner may write");
    const properties: readonly (readonly [string, string])[] = [
      ...crons.map((cron) => ["CRON", cron] as const),
      ...(hooks.length === 0 ? [] : [["HOOK", hooks.join(" ")] as const]),
      ...(job.tier === null ? [] : [["TIER", job.tier] as const]),
    ];
    const entry = printJob({ name: named, properties, text: job.text, allows: [] });
    return readWrittenJobs(entry, { hasCondition: declared.triggers }).map((read) =>
      read.ok
        ? { ...read, job: { ...read.job, label: labelOfSkill(skill) }, skill: name }
        : { ...read, skill: name },
    );
  });
}
