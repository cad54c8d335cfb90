import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { rulesSpec } from "./command-specs.ts";
import {
  forgetRule,
  type ListedRule,
  listRules,
  listShadowRules,
  type TestedRule,
  testRules,
} from "./list-rules.ts";

/** Lists, explains, tests and forgets the rules that the owner taught. */
export async function rulesCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, rulesSpec);
  const [name] = words;
  const start = { environment: io.environment, cwd: io.cwd, version: io.version };
  if (verb === "forget") {
    const forgotten = forgetRule(start, name ?? "");
    if (!forgotten) return noSuchRule(io, name ?? "");
    await tellUnrecorded(io);
    io.out(
      values.json
        ? `${JSON.stringify({ forgotten: name })}\n`
        : `The rule ${name} is forgotten. What it allowed asks again.\n`,
    );
    return exitCodes.done;
  }
  const rules = verb === "test" ? await testRules(start) : listRules(start);
  const shown = name === undefined ? rules : rules.filter((rule) => rule.name === name);
  if (name !== undefined && shown.length === 0) return noSuchRule(io, name);
  if (shown.length === 0 && !values.json)
    io.out("There are no rules. A question that a rule can spare offers one: /always TOKEN\n");
  const shadows = verb === "list" ? await listShadowRules(start) : [];
  for (const rule of [...shown, ...shadows])
    io.out(values.json ? `${JSON.stringify(rule)}\n` : escapeForTerminal(format(rule)));
  return shown.some(({ problem }) => problem !== null) ? exitCodes.failed : exitCodes.done;
}

function noSuchRule(io: Io, name: string): number {
  io.err(escapeForTerminal(`There is no rule ${name}. List them with: passepartout rules list\n`));
  return exitCodes.failed;
}

function format(rule: ListedRule | TestedRule): string {
  const { name, words, problem, agreed } = rule;
  const shadow =
    agreed === undefined ? "" : `  in shadow: it allows nothing; it agreed with ${agreed} of your answers\n`;
  const state = problem === null ? "" : `  OFF: ${problem}. Forget it, and teach it again.\n`;
  const tested =
    "yes" in rule
      ? `  its examples hold; of your answers it would have spared ${rule.yes + rule.no}: ${rule.yes} yes, ${rule.no} no\n`
      : "";
  const lines = words.map((line) => `  ${line}\n`).join("");
  return `${name}\n${lines}${shadow}${state === "" ? tested : state}`;
}
