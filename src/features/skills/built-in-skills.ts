import type { Io } from "../../kernel/io.ts";
import { describeBuiltIn } from "../../shown/describe-listed-skill.ts";
import { layOutHelp } from "../../text/lay-out-help.ts";
import { greatest } from "../../text/lists.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import type { ListedBuiltIn } from "./teach-skills.ts";

/** Prints the skills of the program itself, a line each, behind those that were taught. */
export function listBuiltIn(io: Io, skills: readonly ListedBuiltIn[], json: boolean): void {
  const columns = io.outIsTerminal ? (io.columns?.() ?? null) : null;
  if (!json) io.out("built in:\n");
  const width = greatest(skills.map(({ skill }) => skill.name.length));
  for (const one of skills)
    io.out(
      json
        ? `${JSON.stringify(builtInData(one))}\n`
        : layOutHelp(
            `${one.skill.name.padEnd(width)}  ${one.enabled ? "" : "disabled; "}${one.skill.does}\n`,
            columns,
          ),
    );
}

/** Prints what one brings, when it takes part, and what it costs. */
export function showBuiltIn(io: Io, listed: ListedBuiltIn, json: boolean): void {
  const { skill, enabled } = listed;
  io.out(
    json
      ? `${JSON.stringify(builtInData(listed))}\n`
      : escapeForTerminal(`${describeBuiltIn(skill, enabled)}\n`),
  );
}

function builtInData({ skill, enabled }: ListedBuiltIn) {
  return { ...skill, kind: "built-in", state: enabled ? "built in" : "disabled" };
}
