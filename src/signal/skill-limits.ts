/** What a skill may use in a turn with its sub-tasks: calls of tools that its tools make, and seconds that its code computes for them. It asks no model. */
export type SkillLimits = { readonly calls: number; readonly seconds: number };

/** What a skill's file says of them. */
export type SaidLimits = { readonly [Limit in keyof SkillLimits]?: SkillLimits[Limit] | undefined };

const usual: SkillLimits = { calls: 50, seconds: 30 };
const most: SkillLimits = { calls: 1000, seconds: 600 };

/** What a skill may use. */
export function limitsOfSkill({ limits }: { readonly limits?: SaidLimits | undefined }): SkillLimits {
  return { calls: limits?.calls ?? usual.calls, seconds: limits?.seconds ?? usual.seconds };
}

/** The limits that a skill's file says; or, in words, what is wrong with them. */
export function readSkillLimits(said: {
  readonly calls: string | undefined;
  readonly seconds: string | undefined;
}): SaidLimits | string {
  const { calls, seconds } = said;
  if (calls !== undefined && !isWithin(calls, 0, most.calls))
    return `#+TOOL_CALLS: is a number from 0 to ${most.calls}.`;
  if (seconds !== undefined && !isWithin(seconds, 1, most.seconds))
    return `#+SECONDS: is a number from 1 to ${most.seconds}.`;
  return {
    ...(calls === undefined ? {} : { calls: Number(calls) }),
    ...(seconds === undefined ? {} : { seconds: Number(seconds) }),
  };
}

function isWithin(word: string, least: number, largest: number): boolean {
  return /^\d{1,5}$/.test(word) && Number(word) >= least && Number(word) <= largest;
}
