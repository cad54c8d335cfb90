import type { AcceptedSkill } from "../signal/skill.ts";
import { builtInSkills } from "./built-in/table.ts";
import { type ListedSkill, listWithoutFile, settle } from "./settle-skills.ts";

/** A mandatory skill that is not in force. `text` says why, with the files, and what to do. */
export type MissingSkill = { readonly name: string; readonly text: string };

/** What is known of skills without loading them. `folder` is where their files lie. */
export type KnownSkills = {
  readonly folder: string;
  readonly files: readonly string[];
  readonly accepted: readonly AcceptedSkill[];
};

/** The mandatory skills that are not in force, by what was accepted and which files there are. Nothing is loaded. */
export function findMissing(
  names: readonly string[],
  { folder, files, accepted }: KnownSkills,
): readonly MissingSkill[] {
  const there = new Set(files);
  const enabled = accepted.filter((skill) => skill.enabled);
  const listed = enabled.map((skill): ListedSkill => {
    const file = `${skill.head.name}.org`;
    const gone = listWithoutFile(skill, `${file} is gone from ${folder}`);
    return there.has(file) ? { ...gone, state: "in force", problem: null } : gone;
  });
  const settled = new Map(settle(listed).listed.map((skill) => [skill.name, skill]));
  return names.flatMap((name): readonly MissingSkill[] => {
    const skill = settled.get(name);
    if (skill?.state === "in force") return [];
    const disabled = accepted.some(({ head }) => head.name === name && !settled.has(name));
    if (!disabled && builtInSkills.some((one) => one.name === name)) return [];
    const out = `or take ${name} out of MANDATORY_SKILLS`;
    if (disabled) return [{ name, text: `it is disabled: passepartout skill enable ${name}, ${out}` }];
    if (skill !== undefined)
      return [{ name, text: `${skill.problem ?? "unknown"}. Mend these files, ${out}` }];
    return [
      there.has(`${name}.org`)
        ? { name, text: `${name}.org is in ${folder} and not accepted: passepartout skill list says why` }
        : { name, text: `there is no ${name}.org in ${folder}. Put it there, ${out}` },
    ];
  });
}
