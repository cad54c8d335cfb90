import type { SkillBook } from "../../../settings/skill-book.ts";
import type { Triggering } from "../../../signal/match-trigger.ts";
import type { BuiltInSkill } from "../../../skills/built-in/built-in-skill.ts";
import { builtInSkills } from "../../../skills/built-in/table.ts";
import { takingPart } from "../../../skills/built-in/taking-part.ts";
import type { TaughtText } from "../../../skills/find-triggered.ts";

/** What a turn is about, so that the skills that take part are known. */
export type TurnWords = {
  readonly session: string;
  readonly sensor: string;
  readonly words: string;
  /** The tools that the turn called or found. */
  readonly named: ReadonlySet<string>;
};

/** The program's own skills, as the other parts of this agent use them. */
export type OwnBuiltInSkills = {
  /** Whether a tool is declared to the model in a turn: it belongs to no skill, to one of every turn, or to one that takes part in this turn or took part in its session before. */
  readonly declaresIn: (turn: TurnWords) => (tool: string) => boolean;
  /** What the first of the skills that take part has to say to the model; null where none does. */
  readonly textFor: (signal: Triggering) => TaughtText | null;
  /** Whether the owner disabled the skill that brings a tool. */
  readonly isDisabled: (tool: string) => boolean;
};

/** Of how many sessions it is known which skills took part; the oldest go first. */
const mostSessions = 200;
const nothing: ReadonlySet<string> = new Set();

/** Opens the program's own skills. */
export function openBuiltInSkills(
  book: Pick<SkillBook, "all">,
  all: readonly BuiltInSkill[] = builtInSkills,
): OwnBuiltInSkills {
  const bySession = new Map<string, ReadonlySet<string>>();
  const owners = new Map(all.flatMap((skill) => skill.tools.map((tool) => [tool, skill] as const)));
  const disabled = (): ReadonlySet<string> =>
    new Set(book.all().flatMap(({ enabled, head }) => (enabled ? [] : [head.name])));
  return {
    declaresIn({ session, sensor, words, named }) {
      const before = bySession.get(session) ?? nothing;
      const taking = takingPart(all, { text: words, named, sensor, before });
      const names = new Set(taking.map(({ name }) => name));
      bySession.delete(session);
      if (names.size > 0) bySession.set(session, names);
      const [oldest] = bySession.keys();
      if (bySession.size > mostSessions && oldest !== undefined) bySession.delete(oldest);
      return (tool) => {
        const skill = owners.get(tool);
        return skill === undefined || skill.trigger === null || names.has(skill.name);
      };
    },
    textFor({ sensor, text }) {
      const without = disabled();
      const need = { sensor, text, named: nothing, before: nothing };
      const skill = takingPart(all, need).find(({ name, prompt }) => prompt !== "" && !without.has(name));
      if (skill === undefined) return null;
      const sources = [{ id: `skill:${skill.name}`, path: "" }];
      return {
        skill: skill.name,
        text: skill.prompt,
        label: { integrity: "user", secrecy: "public", sources },
      };
    },
    isDisabled(tool) {
      const skill = owners.get(tool);
      return skill !== undefined && disabled().has(skill.name);
    },
  };
}
