import type { AcceptedSkill, SkillDeclaration, SkillHead } from "../signal/skill.ts";
import { countOf } from "../text/count-of.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { describeSkill, nameBrought } from "./describe-skill.ts";

type Listed = {
  readonly name: string;
  readonly state: string;
  readonly problem: string | null;
  readonly head: SkillHead | null;
  readonly accepted: AcceptedSkill | null;
};

type Checked =
  | {
      readonly ok: true;
      readonly head: SkillHead;
      readonly declared: SkillDeclaration;
      readonly tests: readonly unknown[];
    }
  | { readonly ok: false; readonly problem: string };

type BuiltIn = {
  readonly name: string;
  readonly does: string;
  readonly trigger: SkillHead["trigger"];
  readonly prompt: string;
  readonly cost: string;
} & Readonly<Record<"tools" | "commands" | "gates" | "jobs" | "effects", readonly string[]>>;

/** What is wrong with a skill, beneath its name. */
export function problemBeneath({ problem }: Pick<Listed, "problem">): string {
  return problem === null ? "" : `\n${" ".repeat(21)}${escapeInvisible(problem)}`;
}

/** A skill as it stands: what it brings and may do, and where it comes from. */
export function describeListed(skill: Listed): string {
  const { head, accepted } = skill;
  return [
    `${escapeInvisible(skill.name)}: ${skill.state}${problemBeneath(skill)}`,
    ...(head === null ? [] : describeSkill(head, accepted?.declared ?? null)),
    ...(accepted === null ? [] : [`digest: ${accepted.digest}`, `from: ${accepted.from ?? "this folder"}`]),
  ].join("\n");
}

/** How the check of a skill went, in a line. */
export function describeCheck(name: string, checked: Checked): string {
  const words = checked.ok
    ? `ok, ${countOf(checked.tests.length, "test")}; ${nameBrought(checked.head, checked.declared)}`
    : escapeInvisible(checked.problem);
  return `${escapeInvisible(name).padEnd(20)} ${words}`;
}

/** What a skill of the program itself brings, when it takes part, and what it costs. */
export function describeBuiltIn(skill: BuiltIn, enabled: boolean): string {
  const list = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${names.join(", ")}`];
  return [
    `${skill.name}: built in${enabled ? "" : ", disabled"}`,
    `it ${skill.does}`,
    `trigger: ${describeTrigger(skill)}`,
    ...(skill.prompt === "" ? [] : [`tells the model: ${skill.prompt}`]),
    ...list("tools", skill.tools),
    ...list(
      "commands",
      skill.commands.map((name) => `/${name}`),
    ),
    ...list("gates", skill.gates),
    ...list("jobs", skill.jobs),
    ...list("effects", skill.effects),
    `cost: ${skill.cost}`,
  ].join("\n");
}

/** When a built-in skill takes part, in words. */
function describeTrigger({ trigger }: BuiltIn): string {
  if (trigger === null) return "every turn";
  const { words = [], sensor } = trigger;
  return [...words, ...(sensor === undefined ? [] : [`sensor ${sensor}`])].join(", ");
}
