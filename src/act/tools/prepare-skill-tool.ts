import * as z from "zod";
import type { Effect } from "../../signal/effect.ts";
import type { Flow, Licence, Permission } from "../../signal/facts.ts";
import type { CallSkill, JailReply } from "../../signal/jail-work.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";
import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";
import { labelOfSkill } from "../../signal/label-of-skill.ts";
import { parseJson } from "../../signal/parse-json.ts";
import type { AcceptedSkill, SkillOrigin, SkillTool } from "../../signal/skill.ts";
import {
  type Caller,
  failure,
  type LabelArgument,
  type Outcome,
  type Preparation,
  success,
  type Tool,
} from "../../signal/tool.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";
import { argumentProblem } from "./skill-arguments.ts";

/** What the tools of skills need. */
export type SkillToolPorts = {
  /** The tool of this name that a skill may call; never one of a skill. */
  readonly find: (name: string) => { readonly tool: Tool; readonly permission: Permission } | null;
  readonly call: CallSkill;
};

/** A tool of a skill, with what it needs. */
export type SkillToolParts = {
  readonly skill: AcceptedSkill;
  readonly tool: SkillTool;
  readonly ports: SkillToolPorts;
};

type Asker = { readonly caller: Caller; readonly labelOf: LabelArgument };

/** Milliseconds that a function of a skill may take, and the characters of what it gives. */
const limits = { milliseconds: 2000, maxCharacters: 100_000 };
const mostCalls = 10;
const callsSchema = z
  .array(z.strictObject({ tool: z.string().max(100), args: z.record(z.string(), z.json()) }))
  .max(mostCalls);

/** Works out what a tool of a skill would do: its own computation, and all that the tools do which it calls. */
export async function prepareSkillTool(
  parts: SkillToolParts,
  args: JsonObject,
  asker: Asker,
): Promise<Preparation> {
  const { skill, tool } = parts;
  const wrong = argumentProblem(tool.parameters, args);
  if (wrong !== null) return problem("invalid-arguments", `${tool.name}: ${wrong}.`);
  const label = joinLabels(bottomLabel, ...scalarsIn(args).map(asker.labelOf));
  // What the skill made of the arguments is as secret as they are. Text that nobody is known to have said is the skill's: words of others where it was installed.
  const made = joinLabels(labelOfSkill(skill), { ...bottomLabel, integrity: "agent" });
  const madeOfAll = joinLabels(label, made);
  const planned = tool.calls ? await planCalls(parts, args, label) : done([]);
  if (!planned.ok) return { ...planned, label: madeOfAll };
  const labelOf: LabelArgument = (text) => {
    const own = asker.labelOf(text);
    const whole = own.integrity === "agent" ? joinLabels(own, made) : own;
    return { ...whole, secrecy: joinLabels(own, label).secrecy };
  };
  const called = await prepareCalls(parts, planned.value, { ...asker, labelOf });
  if (!called.ok) return { ...called, label: madeOfAll };
  const calls = called.value;
  const own: Effect = {
    kind: "evaluate",
    target: `${tool.name} of the skill ${skill.head.name}`,
    language: "typescript",
    jailed: true,
    label,
    reversal: "undoable",
  };
  const resultLabel = joinLabels(madeOfAll, ...calls.map(({ preparation }) => preparation.resultLabel));
  const [only, ...others] = calls;
  return {
    ok: true,
    effects: [own, ...calls.flatMap(({ preparation }) => preparation.effects)],
    plan: {
      skill: skill.digest,
      tool: tool.name,
      args,
      calls: calls.map(({ name, preparation }) => [name, preparation.plan]),
    },
    changes: calls.flatMap(({ preparation }) => preparation.changes),
    ...(only?.preparation.preview === undefined || others.length > 0
      ? {}
      : { preview: only.preparation.preview }),
    resultLabel,
    ...joinFlows(calls),
    skill: {
      origin: originOf(skill, calls),
      carries: planned.value.map((call) => call.args),
      permission: strictestOf(calls.map(({ permission }) => permission)),
    },
    run: (cancel) => runCalls(parts, { args, calls, resultLabel }, cancel),
  };
}

/** What decides over the effects, and what licenses them, each at the place that its effect has among all. */
function joinFlows(calls: readonly PreparedCall[]): Pick<Prepared, "flows" | "licences"> {
  const starts = offsetsOf(calls);
  const flows = calls.flatMap(({ preparation }, at) =>
    (preparation.flows ?? []).map(
      (flow): Flow => ({ ...flow, effectIndex: flow.effectIndex + (starts[at] ?? 0) }),
    ),
  );
  const licences = calls.flatMap(({ preparation }, at) =>
    (preparation.licences ?? []).map(
      (licence): Licence => ({
        ...licence,
        effectIndexes: licence.effectIndexes.map((index) => index + (starts[at] ?? 0)),
      }),
    ),
  );
  return { flows, licences };
}

function originOf({ head }: AcceptedSkill, calls: readonly PreparedCall[]): SkillOrigin {
  const starts = offsetsOf(calls);
  return {
    name: head.name,
    capabilities: head.capabilities,
    calls: calls.map(({ name, preparation }, at) => {
      const from = starts[at] ?? 0;
      return { tool: name, from, to: from + preparation.effects.length };
    }),
  };
}

type Prepared = Preparation & { readonly ok: true };
type PlannedCall = z.infer<typeof callsSchema>[number];
type PreparedCall = {
  readonly name: string;
  readonly permission: Permission;
  readonly preparation: Prepared;
};

/** Asks the skill, in its jail, which tools it would call. */
async function planCalls(
  parts: SkillToolParts,
  args: JsonObject,
  label: Label,
): Promise<Fallible<readonly PlannedCall[]>> {
  const reply = await callFunction(
    parts,
    { name: "calls", values: [args], label },
    new AbortController().signal,
  );
  if (!reply.ok) return problem("skill-failed", wordsOf(parts, reply));
  const read = callsSchema.safeParse(parseJson(reply.json));
  if (read.success) return done(read.data);
  return problem(
    "skill-failed",
    `The skill ${parts.skill.head.name} named its calls in a form that cannot be read: a list of at most ${mostCalls} objects { tool, args }.`,
  );
}

async function prepareCalls(
  { skill, ports }: SkillToolParts,
  planned: readonly PlannedCall[],
  { caller, labelOf }: Asker,
): Promise<Fallible<readonly PreparedCall[]>> {
  const calls: PreparedCall[] = [];
  for (const { tool: name, args } of planned) {
    const found = ports.find(name);
    if (found === null)
      return problem(
        "skill-failed",
        `The skill ${skill.head.name} would call ${name.slice(0, 60)}, and there is no such tool for it.`,
      );
    const preparation = await found.tool.prepare(args, caller, labelOf);
    if (!preparation.ok)
      return problem(
        preparation.code,
        `${found.tool.name}, called by the skill ${skill.head.name}: ${preparation.message}`,
      );
    const effects = preparation.effects.map(withoutTrial);
    calls.push({
      name: found.tool.name,
      permission: found.permission,
      preparation: { ...preparation, effects },
    });
  }
  return done(calls);
}

/** A command that a skill calls is not tried before it asks: the other calls would not be part of its trial. */
function withoutTrial(effect: Effect): Effect {
  if (effect.kind !== "run-program" || effect.triable === undefined) return effect;
  const { triable: _, ...rest } = effect;
  return { ...rest, untried: "a skill calls it" };
}

/** The index of the first effect of each call. The skill's own computation comes first. */
function offsetsOf(calls: readonly PreparedCall[]): readonly number[] {
  let next = 1;
  return calls.map(({ preparation }) => {
    const from = next;
    next += preparation.effects.length;
    return from;
  });
}

/** Runs the calls in order, until one fails; then the skill makes its result of theirs. */
async function runCalls(
  parts: SkillToolParts,
  {
    args,
    calls,
    resultLabel,
  }: { readonly args: JsonObject; readonly calls: readonly PreparedCall[]; readonly resultLabel: Label },
  cancel: AbortSignal,
): Promise<Outcome> {
  const results: Json[] = [];
  for (const { name, preparation } of calls) {
    const outcome = await preparation.run(cancel);
    if (outcome.status === "error") return { ...outcome, message: `${name}: ${outcome.message}` };
    results.push(outcome.content);
  }
  if (!parts.tool.runs) return success({ results });
  const reply = await callFunction(
    parts,
    { name: "run", values: [args, results], label: resultLabel },
    cancel,
  );
  if (!reply.ok) return failure({ code: "skill-failed", message: wordsOf(parts, reply) });
  if (reply.json.length > limits.maxCharacters)
    return failure({
      code: "skill-failed",
      message: `The skill ${parts.skill.head.name} gave more than ${limits.maxCharacters} characters.`,
    });
  return success({ value: parseJson(reply.json), ...(reply.logs.length === 0 ? {} : { logs: reply.logs }) });
}

type FunctionCall = {
  readonly name: "calls" | "run";
  readonly values: readonly Json[];
  /** The label of all that goes in. */
  readonly label: Label;
};

function callFunction(
  { skill, tool, ports }: SkillToolParts,
  { name, values, label }: FunctionCall,
  cancel: AbortSignal,
): Promise<JailReply> {
  const call = { path: ["tools", tool.name, name], values: JSON.stringify(values), limits, label };
  return ports.call(skill, call, cancel);
}

function wordsOf({ skill }: SkillToolParts, { code, message }: JailReply & { readonly ok: false }): string {
  const why = code === "thrown" || code === "jail-failed" ? message.slice(0, 500) : code;
  return `The skill ${skill.head.name} failed: ${why}.`;
}

const strictness: readonly Permission[] = ["allow", "ask", "deny"];

function strictestOf(permissions: readonly Permission[]): Permission {
  return strictness[Math.max(0, ...permissions.map((each) => strictness.indexOf(each)))] ?? "deny";
}

/** Every text, number and truth in the arguments, as text. */
function scalarsIn(value: Json): readonly string[] {
  if (isJsonArray(value)) return value.flatMap(scalarsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(scalarsIn);
  return value === null ? [] : [String(value)];
}
