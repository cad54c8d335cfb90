import { escapeForTerminal } from "../../gate/visible.ts";
import {
  forgetRule,
  type ListedRule,
  listRules,
  listShadowRules,
  type TestedRule,
  testRules,
} from "../offline/list-rules.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { tellUnrecorded } from "./tell-unrecorded.ts";

const usage = `passepartout rules list | explain NAME | test | forget NAME   [--json]
What you allowed for good by /always. A rule spares one kind of question in one folder; it lifts no block.
  list     prints the rules, and those that run in shadow: they allow nothing, and are offered once they agreed with you three times
  explain  prints what a rule allows, and where
  test     tries each rule on its examples, and on the questions that you answered
  forget   takes a rule back
  --json   prints a JSON object for each rule
Exit codes: 0 done, 1 there is no such rule, a rule is off, or their file cannot be used, 2 wrong usage.`;

/** Lists, explains, tests and forgets the rules that the owner taught. */
export async function rulesCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const [verb = "list", name, ...more] = positionals;
  if (more.length > 0) throw usageError("Too many arguments.", usage);
  const named = verb === "explain" || verb === "forget";
  if (!named && verb !== "list" && verb !== "test")
    throw usageError("rules needs one of list, explain, test, forget.", usage);
  if (named !== (name !== undefined))
    throw usageError(named ? `${verb} needs the NAME of a rule.` : `${verb} takes no name.`, usage);
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
