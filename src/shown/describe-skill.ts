import type { SkillDeclaration, SkillHead } from "../signal/skill.ts";
import { escapeInvisible, quoteLines } from "../text/escape-invisible.ts";

/** What the owner is told of a skill whose folder is a clone. */
export const cloneWords =
  "its folder holds a .git, which is no part of it: no digest counts it, and reading it asks";

/** What a skill brings and wants, a line for each sort. No text of its file can pass for a line of this list. */
export function describeSkill(head: SkillHead, declared: SkillDeclaration | null): readonly string[] {
  const line = (what: string, list: readonly string[]) =>
    list.length === 0 ? [] : [`${what}: ${list.map((one) => escapeInvisible(one)).join(", ")}`];
  const quoted = (what: string, text: string) => (text === "" ? [] : [`${what}:`, ...quoteLines(text)]);
  return [
    ...line("title", [head.title]),
    `priority: ${head.priority}`,
    ...partsOfSkill(head, declared).flatMap(([what, list]) => line(what, list)),
    ...quoted("tells the model", head.prompt),
    ...quoted(
      `job, which runs once you approve it (passepartout jobs add skill-${head.name})`,
      head.job?.text ?? "",
    ),
  ];
}

/** What a skill brings and wants, by sorts; those that it has nothing of are empty. */
export function partsOfSkill(
  head: SkillHead,
  declared: SkillDeclaration | null,
): readonly (readonly [what: string, list: readonly string[]])[] {
  const { tools = [], gates = [], commands = [], triggers, prompts, mandates, recovers } = declared ?? {};
  const { words = [], sensor, tags = [] } = head.trigger ?? {};
  const trigger = [
    ...words,
    ...(sensor === undefined ? [] : [`sensor ${sensor}`]),
    ...tags.map((tag) => `tag :${tag}:`),
    ...(triggers === true ? ["what its function says"] : []),
  ];
  const { calls, seconds } = head.limits ?? {};
  return [
    ["may call", head.capabilities],
    ["depends on", head.dependsOn],
    ["trigger", trigger],
    ["tells the model", prompts === true ? ["what its function makes"] : []],
    ["mandates", [...head.mandates, ...(mandates === true ? ["what its function makes"] : [])]],
    ["where a turn gets no answer", recovers === true ? ["what its function says"] : []],
    [
      "tools",
      tools.flatMap(({ name, description, effects }) =>
        effects === undefined ? [`${name} (${description})`] : [],
      ),
    ],
    [
      "actuators",
      tools.flatMap(({ name, description, effects }) =>
        effects === undefined
          ? []
          : [`${name} (${description}; ${effects.join(", ") || "it only computes"})`],
      ),
    ],
    ["gates", gates.map(({ name, effects }) => `${name} (${effects.join(", ")})`)],
    ["blocked where its gates cannot be loaded", head.guards],
    ["commands", commands.map(({ name, help }) => `/${name} (${help})`)],
    ["hooks", head.hooks],
    ["times", head.crons],
    [
      "in a turn at most",
      [
        ...(calls === undefined ? [] : [`${calls} calls of tools`]),
        ...(seconds === undefined ? [] : [`${seconds} s of code`]),
      ],
    ],
  ];
}

/** The names of what a skill brings, in a line: what its owner wrote and does not find here was not read. */
export function nameBrought(head: SkillHead, declared: SkillDeclaration): string {
  const { tools, gates, commands, triggers, prompts } = declared;
  const parts = [
    ["tools", tools.flatMap(({ name, effects }) => (effects === undefined ? [name] : []))],
    ["actuators", tools.flatMap(({ name, effects }) => (effects === undefined ? [] : [name]))],
    ["gates", gates.map(({ name }) => name)],
    ["commands", commands.map(({ name }) => `/${name}`)],
    [
      "functions",
      [
        ...(triggers ? ["trigger"] : []),
        ...(prompts ? ["prompt"] : []),
        ...(declared.mandates ? ["mandate"] : []),
        ...(declared.recovers ? ["recover"] : []),
      ],
    ],
    ["words for the model", head.prompt === "" ? [] : ["a prompt"]],
    ["mandates", head.mandates.map((_, index) => String(index + 1))],
    ["job", head.job === undefined ? [] : [`skill-${head.name}`]],
  ] as const;
  const named = parts.flatMap(([what, list]) => (list.length === 0 ? [] : [`${what}: ${list.join(", ")}`]));
  return named.length === 0 ? "it brings nothing: no block that counts was found" : named.join("; ");
}

/** How the tests of a version went, a line each. */
export function describeTests(
  tests: readonly { readonly name: string; readonly problem: string | null }[],
): readonly string[] {
  if (tests.length === 0) return ["tests: none"];
  return tests.map(({ name, problem }) =>
    escapeInvisible(`test ${name}: ${problem === null ? "passed" : `failed: ${problem}`}`),
  );
}
