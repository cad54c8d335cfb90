import type { OwnCommand } from "../../notes/own-commands.ts";
import { commandUsages } from "../../perceive/command-usages.ts";
import type { InspectSkill } from "../../perceive/draft-skill-command.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import type { TraceLine, Verdict } from "../../signal/verdict.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import type { CommandReply } from "./command-reply.ts";
import { type OverviewParts, overview } from "./overview.ts";
import { showOutput } from "./show-output.ts";
import { formatSpending, formatStatus, listQuestions, type StatusParts } from "./status.ts";

/** What the commands that only show something need. */
export type LookUpParts = StatusParts &
  OverviewParts & {
    /** The commands that the owner wrote. */
    readonly ownCommands: () => Promise<readonly Pick<OwnCommand, "name" | "text">[]>;
    /** The models that the providers offer now, in words; empty where none is set up. */
    readonly offeredModels: () => Promise<string>;
    /** How many skills are built in. */
    readonly builtInSkills: number;
    /** The skills that the owner taught or that folders bring, as they stand now, each with its state and what is wrong; null where nothing is. */
    readonly listSkills: (
      session: string,
    ) => Promise<
      readonly { readonly name: string; readonly state: string; readonly problem: string | null }[]
    >;
    /** Shows a skill, or runs its tests. */
    readonly inspectSkill: (
      command: Pick<InspectSkill, "verb" | "name">,
      session: string,
    ) => Promise<CommandReply>;
    /** The verdicts of the last turn of a session that had any. */
    readonly verdictsOf: (
      session: string,
    ) => readonly (Extract<LoopEvent, { readonly type: "verdict" }> & { readonly called: string })[];
  };

/** Commands that only show something, and are nothing but their name. */
const lookUps = [
  "help",
  "exit",
  "status",
  "overview",
  "output",
  "questions",
  "why",
  "rules",
  "skill",
  "models",
  "setup",
] as const;

type PlainLookUp = (typeof lookUps)[number];

/** Commands that only show something. */
export type LookUp = PlainLookUp | "budget";

/** Whether a command only shows something, and is nothing but its name. */
export function isLookUp<Command extends { readonly kind: string }>(
  command: Command,
): command is Extract<Command, { readonly kind: PlainLookUp }> {
  return lookUps.some((kind) => kind === command.kind);
}

/** Answers a command that only shows something. */
export async function lookUp(parts: LookUpParts, kind: LookUp, session: string): Promise<CommandReply> {
  switch (kind) {
    case "help":
      return helpReply(parts);
    case "exit":
      return { code: "exit", text: "Good-bye." };
    case "status":
      return { code: "status", text: await formatStatus(parts, session) };
    case "budget":
      return { code: "budget", text: await formatSpending(parts, session) };
    case "overview":
      return overview(parts, session);
    case "output":
      return showOutput(parts, session);
    case "questions":
      return listQuestions(parts);
    case "why":
      return explainVerdicts(parts, session);
    case "rules":
      return listRules(parts);
    case "skill":
      return showSkills(parts, session);
    case "models":
      return showModels(parts);
    case "setup":
      return { code: "setup", text: howToSetUp };
  }
}

const howToSetUp = `Leave by /exit, and run in this terminal: passepartout setup (in a clone: ./passepartout setup)
It finds Ollama or llama.cpp on this machine, or takes a key into the vault, tries the model, and shows what it would write before it does. Then start again.`;

/** Columns of the usages, beside which their help stands; a longer usage has a line of its own. */
const usageColumns = 22;

async function helpReply({ ownCommands, policy: { filter } }: LookUpParts): Promise<CommandReply> {
  const own = (await ownCommands()).map(({ name, text }) => ({
    name,
    usage: `/${name} [WORDS]`,
    help: `yours: ${beginOf(filter(text), 60).replaceAll(/\s+/g, " ")}${text.length > 60 ? " …" : ""}`,
  }));
  const all = [...commandUsages, { name: "!", usage: "!COMMAND", help: runHelp }, ...own];
  const lines = all.map(({ usage, help }) =>
    usage.length > usageColumns
      ? `${usage}\n${" ".repeat(usageColumns)} ${help}`
      : `${usage.padEnd(usageColumns)} ${help}`,
  );
  return {
    code: "help",
    text: lines.join("\n"),
    data: [...commandUsages, ...own].map((one) => ({ ...one })),
  };
}

const runHelp = "in passepartout tui: run a command line of your own; what is never allowed stays so";

/** What each gate said of the last calls that were judged. */
function explainVerdicts({ verdictsOf, policy: { filter } }: LookUpParts, session: string): CommandReply {
  const verdicts = verdictsOf(session);
  if (verdicts.length === 0)
    return {
      code: "no-verdict",
      text: "Nothing was judged in this session since the agent started. `passepartout journal tail` shows what was judged before.",
    };
  const lines = verdicts.flatMap(({ called, verdict, trace, gates = 0, microseconds = 0 }) => [
    `${escapeInvisible(called)}: ${decisionWords[verdict]} · ${gates} gates · ${(microseconds / 1000).toFixed(1)} ms`,
    ...trace.map(
      ({ gate, result, reason }) =>
        `  ${gate.padEnd(18)} ${resultWord(verdict, result).padEnd(9)} ${escapeInvisible(filter(reason))}`,
    ),
    ...othersPassed(trace, gates),
  ]);
  return { code: "why", text: lines.join("\n") };
}

const decisionWords: Readonly<Record<Verdict["decision"], string>> = {
  pass: "allowed",
  trial: "tried in a copy, so nobody is asked",
  ask: "needs your yes",
  block: "refused",
};

/** What a gate said. Where a trial answers it, nobody is asked. */
function resultWord(verdict: Verdict["decision"], result: TraceLine["result"]): string {
  if (result !== "approval") return result;
  return verdict === "trial" ? "tried" : "asks";
}

function othersPassed(trace: readonly TraceLine[], gates: number): readonly string[] {
  const others = gates - new Set(trace.map(({ gate }) => gate)).size;
  return others > 0 ? [`  ${others} more passed without concern`] : [];
}

/** Asks the providers for their models. */
async function showModels({ offeredModels }: LookUpParts): Promise<CommandReply> {
  const words = await offeredModels();
  return words === ""
    ? { code: "models", text: "No provider is set up. /setup says how to set one up." }
    : {
        code: "models",
        text: `${words}\n* is asked where nothing else is chosen; /model PROVIDER/MODEL asks another one.`,
      };
}

async function showSkills(
  { listSkills, builtInSkills, policy: { filter } }: LookUpParts,
  session: string,
): Promise<CommandReply> {
  const listed = (await listSkills(session)).map(({ name, state, problem }) => ({
    name,
    state,
    problem: problem === null ? null : escapeInvisible(filter(problem)),
  }));
  const lines = listed.map(({ name, state, problem }) =>
    problem === null ? `${name.padEnd(20)} ${state}` : `${name.padEnd(20)} ${state}\n  ${problem}`,
  );
  const taught =
    lines.length === 0
      ? ["You taught no skill yet. `passepartout skill new NAME` writes a first one."]
      : [...lines, "`/skill show NAME` shows one; `passepartout skill enable` and `disable` change it."];
  const text = [
    ...taught,
    `${builtInSkills} skills are built in: \`passepartout skill list\` lists them too.`,
  ];
  return { code: "skills", text: text.join("\n"), data: listed };
}

/** What the owner allowed for good. */
function listRules({ policy: { rules, filter } }: LookUpParts): CommandReply {
  const all = rules.all();
  if (all.length === 0)
    return {
      code: "rules",
      text: "There are no rules. A question that a rule can spare offers one.",
      data: [],
    };
  const listed = all.map(({ rule, problem }) => ({ words: rules.describe(rule).map(filter), problem }));
  const lines = listed.flatMap(({ words, problem }) => [
    ...words.map((line, index) => `${index === 0 ? "" : "  "}${line}`),
    ...(problem === null ? [] : [`  OFF: ${filter(problem)}`]),
  ]);
  const text = [...lines, "`passepartout rules forget NAME` takes one back."].join("\n");
  return { code: "rules", text, data: listed };
}
