import { escapeForTerminal } from "../../gate/visible.ts";
import type { BuiltInSkill } from "../../skills/built-in/built-in-skill.ts";
import type { ListedBuiltIn } from "../offline/teach-skills.ts";
import type { Io } from "./io.ts";

/** Prints the skills of the program itself, a line each, behind those that were taught. */
export function listBuiltIn(io: Io, skills: readonly ListedBuiltIn[], json: boolean): void {
  if (!json) io.out("built in:\n");
  const width = Math.max(...skills.map(({ skill }) => skill.name.length));
  for (const one of skills)
    io.out(
      json
        ? `${JSON.stringify(builtInData(one))}\n`
        : `${one.skill.name.padEnd(width)} ${one.enabled ? "" : "disabled; "}${one.skill.does}\n`,
    );
}

/** Prints what one brings, when it takes part, and what it costs. */
export function showBuiltIn(io: Io, listed: ListedBuiltIn, json: boolean): void {
  const { skill, enabled } = listed;
  const list = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${names.join(", ")}`];
  const lines = [
    `${skill.name}: built in${enabled ? "" : ", disabled"}`,
    `it ${skill.does}`,
    `takes part at: ${describeTrigger(skill)}`,
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
  ];
  io.out(json ? `${JSON.stringify(builtInData(listed))}\n` : escapeForTerminal(`${lines.join("\n")}\n`));
}

/** When a built-in skill takes part, in words. */
function describeTrigger({ trigger }: BuiltInSkill): string {
  if (trigger === null) return "every turn";
  const { words = [], sensor } = trigger;
  return [...words, ...(sensor === undefined ? [] : [`sensor ${sensor}`])].join(", ");
}

function builtInData({ skill, enabled }: ListedBuiltIn) {
  return { ...skill, kind: "built-in", state: enabled ? "built in" : "disabled" };
}
