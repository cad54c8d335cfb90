import type { Triggering } from "../../signal/match-trigger.ts";
import { matchesTrigger } from "../../signal/match-trigger.ts";
import type { BuiltInSkill } from "./built-in-skill.ts";

/** What a turn is about: its words, the tools that it called or found, and the skills that took part in its session before. */
export type TurnNeed = Triggering & {
  readonly named: ReadonlySet<string>;
  readonly before: ReadonlySet<string>;
};

/** The skills with a trigger that take part in a turn, of those that are not disabled. */
export function takingPart(
  skills: readonly BuiltInSkill[],
  { named, before, ...signal }: TurnNeed,
): readonly BuiltInSkill[] {
  return skills.filter(
    ({ name, trigger, tools }) =>
      trigger !== null &&
      (before.has(name) || tools.some((tool) => named.has(tool)) || matchesTrigger(trigger, signal)),
  );
}
