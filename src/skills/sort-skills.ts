import type { SkillHead } from "../signal/skill.ts";

/** Skills in the order in which they come into force: each after those that it depends on, else by name. What cannot come into force says why, with the files. */
export type SortedSkills = {
  readonly order: readonly string[];
  readonly problems: ReadonlyMap<string, string>;
};

type Head = Pick<SkillHead, "name" | "id" | "dependsOn">;

/** Sorts skills by their dependencies, which name a skill or its id. A cycle or a missing skill keeps out those that depend on it, and no other. */
export function sortSkills(heads: readonly Head[]): SortedSkills {
  const named = new Map(heads.map((head) => [head.name, head]));
  const withId = Map.groupBy(heads, ({ id }) => id);
  const order: string[] = [];
  const problems = new Map<string, string>();
  const visit = (head: Head, path: readonly string[]): void => {
    if (order.includes(head.name) || problems.has(head.name)) return;
    const round = path.indexOf(head.name);
    if (round >= 0) {
      const cycle = path.slice(round);
      const files = [...cycle, head.name].map((name) => `${name}.org`).join(" → ");
      for (const name of cycle) problems.set(name, `these skills depend on each other: ${files}`);
      return;
    }
    for (const wanted of head.dependsOn) {
      const same = withId.get(wanted) ?? [];
      const needed = named.get(wanted) ?? (same.length === 1 ? same[0] : undefined);
      if (needed !== undefined) visit(needed, [...path, head.name]);
      const problem =
        needed === undefined
          ? same.length === 0
            ? `${head.name}.org depends on ${wanted}, and there is no such skill`
            : `${head.name}.org depends on the :ID: ${wanted}, which ${filesOf(same)} have. Give each another one`
          : problems.has(needed.name)
            ? `${head.name}.org depends on ${needed.name}.org, which is not in force`
            : null;
      if (problem !== null && !problems.has(head.name)) problems.set(head.name, problem);
    }
    if (!problems.has(head.name)) order.push(head.name);
  };
  for (const head of heads.toSorted((a, b) => (a.name < b.name ? -1 : 1))) visit(head, []);
  return { order, problems };
}

/** The files of skills, in words. */
export function filesOf(heads: readonly Pick<SkillHead, "name">[]): string {
  return heads.map(({ name }) => `${name}.org`).join(" and ");
}
