import { ownTargets } from "../signal/actuator.ts";
import type { EffectKind } from "../signal/effect.ts";
import type { Label } from "../signal/label.ts";
import { labelOfSkill } from "../signal/label-of-skill.ts";
import type { AcceptedSkill, SkillHead, SkillTool } from "../signal/skill.ts";
import { foldName } from "../text/fold-name.ts";
import { similarName } from "../text/similar-names.ts";
import { builtInSkills } from "./built-in/table.ts";
import type { SkillTestResult } from "./check-skill.ts";
import { byPriority } from "./find-triggered.ts";
import { guardable } from "./read-skill-file.ts";
import { filesOf, sortSkills } from "./sort-skills.ts";

/** A skill as it stands. `waits`: its file differs from what was accepted, or was never accepted, and a yes is missing. */
export type ListedSkill = {
  readonly name: string;
  readonly state: "in force" | "waits" | "disabled" | "broken";
  /** What is wrong, or what a yes is missing for; null where nothing is. */
  readonly problem: string | null;
  /** The version in force, or else the one in the file; null where the file cannot be read. */
  readonly head: SkillHead | null;
  readonly accepted: AcceptedSkill | null;
  readonly tests: readonly SkillTestResult[];
  /** Of the text of its file. */
  readonly label: Label;
};

/** Effects that are blocked because the gates that guard them cannot be loaded. */
export type LostGates = {
  readonly skill: string;
  readonly effects: readonly EffectKind[];
  readonly reason: string;
};

/** All skills at one moment; replaced as a whole. */
export type SkillSet = {
  readonly listed: readonly ListedSkill[];
  /** Those in force, each after those that it depends on. */
  readonly inForce: readonly AcceptedSkill[];
  readonly lostGates: readonly LostGates[];
};

/** The skills as they stand together: without what lacks a skill that it depends on. What cannot be loaded leaves a gate in its place. */
export function settle(listed: readonly ListedSkill[]): SkillSet {
  const candidates = listed.flatMap(({ state, accepted }) =>
    state === "in force" && accepted !== null ? [accepted] : [],
  );
  const { order, problems } = sortSkills(candidates.map(({ head }) => head));
  const byName = new Map(candidates.map((skill) => [skill.head.name, skill]));
  const settled = listed.map((skill): ListedSkill => {
    const problem = problems.get(skill.name);
    return problem === undefined ? skill : { ...skill, state: "broken", problem };
  });
  const lostGates = settled.flatMap(({ name, state, head, accepted, problem }): readonly LostGates[] => {
    const declared = (accepted?.declared.gates ?? []).flatMap((gate) => gate.effects);
    const effects = [...new Set([...(head?.guards ?? []), ...declared])];
    if (state !== "broken" || effects.length === 0) return [];
    const reason = `the gates of the skill ${name} cannot be loaded (${problem ?? "unknown"}). Mend it, or: passepartout skill disable ${name}`;
    return [{ skill: name, effects, reason }];
  });
  const inForce = order.flatMap((name) => byName.get(name) ?? []);
  const clashes = new Map([...findTwins(inForce), ...findClashes(inForce)]);
  const told = settled.map((skill) => ({
    ...skill,
    problem: skill.problem ?? clashes.get(skill.name) ?? null,
  }));
  return { listed: told, inForce, lostGates };
}

/** What is wrong with skills that bring tools or commands which the program, or a skill before them, has already. */
function findClashes(inForce: readonly AcceptedSkill[]): ReadonlyMap<string, string> {
  const clashes = new Map<string, string>();
  for (const sort of sorts) {
    const owners = ownersInProgram(sort);
    // A command belongs to the skill that takes part at it.
    for (const { head, declared } of sort === "tools" ? inForce : inForce.toSorted(byPriority))
      for (const one of declared[sort]) {
        const owner = owners.get(taken(sort, one.name));
        if (owner === undefined) owners.set(taken(sort, one.name), `the skill ${head.name}`);
        else
          clashes.set(
            head.name,
            `its ${called(sort, one)} is not used: ${owner} has one of this name. Rename it.`,
          );
      }
  }
  return clashes;
}

/** The first tool or command of a skill that the program or another skill in force has already, in words; null where it has none. */
export function findTakenName(
  { head, declared }: Pick<AcceptedSkill, "head" | "declared">,
  listed: readonly ListedSkill[],
): string | null {
  for (const sort of sorts) {
    const owners = ownersInProgram(sort);
    for (const { name, state, accepted } of listed)
      if (state === "in force" && name !== head.name)
        for (const other of accepted?.declared[sort] ?? [])
          owners.set(taken(sort, other.name), `the skill ${name}`);
    for (const one of declared[sort]) {
      const owner = owners.get(taken(sort, one.name));
      if (owner !== undefined) return `Its ${called(sort, one)} would stand beside that of ${owner}`;
    }
  }
  return null;
}

const sorts = ["tools", "commands"] as const;
type Sort = (typeof sorts)[number];

function ownersInProgram(sort: Sort): Map<string, string> {
  const names = builtInSkills.flatMap((skill) => skill[sort]);
  return new Map(
    [...names, ...(sort === "tools" ? ownTargets : [])].map((name) => [taken(sort, name), "the program"]),
  );
}

/**
 * What a name takes. Tools and actuators are registered by their folded names, so that what is spelt
 * otherwise clashes, too.
 */
function taken(sort: Sort, name: string): string {
  return sort === "tools" ? foldName(name) : name;
}

function called(sort: Sort, one: Pick<SkillTool, "name" | "effects">): string {
  if (sort === "commands") return `command /${one.name}`;
  return `${one.effects === undefined ? "tool" : "actuator"} ${one.name}`;
}

/** What is wrong with skills that are taken for one another: by their `:ID:`, or by how their names look. */
function findTwins(inForce: readonly AcceptedSkill[]): ReadonlyMap<string, string> {
  const heads = inForce.map(({ head }) => head);
  const names = [...builtInSkills.map(({ name }) => name), ...heads.map(({ name }) => name)];
  const twins = new Map<string, string>();
  for (const { name } of heads) {
    const similar = similarName(name, names);
    if (similar !== null)
      twins.set(name, `its name looks like that of the skill ${similar}. Rename one of them.`);
  }
  for (const same of Map.groupBy(heads, ({ id }) => id).values())
    for (const { name, id } of same.length > 1 ? same : [])
      if (id !== null) twins.set(name, `${filesOf(same)} have the same :ID: ${id}. Give each another one.`);
  return twins;
}

/** No skill at all: where nobody knows what the owner accepted, all that a gate can guard is blocked. */
export function faultSet(fault: string): SkillSet {
  const lost = { skill: "skills.json", effects: guardable, reason: fault };
  return { listed: [], inForce: [], lostGates: [lost] };
}

/** An accepted skill whose file is not there: an editor that saves may take it away for a moment, so what was accepted is kept. */
export function listWithoutFile(accepted: AcceptedSkill, problem: string): ListedSkill {
  const { head } = accepted;
  const label = labelOfSkill(accepted);
  return { name: head.name, state: "broken", problem, head, accepted, tests: [], label };
}
