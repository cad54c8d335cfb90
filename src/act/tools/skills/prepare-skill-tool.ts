import { describeRounds } from "../../../signal/call-round.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { Flow, Licence, Permission } from "../../../signal/facts.ts";
import type { CallSkill } from "../../../signal/jail-work.ts";
import { bottomLabel, joinAll, joinLabels, type Label, secrecyOf } from "../../../signal/label.ts";
import { labelOfSkill } from "../../../signal/label-of-skill.ts";
import { saidByArguments } from "../../../signal/said-by-arguments.ts";
import type { AcceptedSkill, SkillOrigin, SkillTool } from "../../../signal/skill.ts";
import {
  type Caller,
  failure,
  type LabelArgument,
  type Outcome,
  type Preparation,
  success,
  type Tool,
} from "../../../signal/tool.ts";
import { beginOf } from "../../../text/cut-text.ts";
import type { Json, JsonObject } from "../../../text/json.ts";
import { greatest } from "../../../text/lists.ts";
import { parseJson } from "../../../text/parse-json.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
import {
  callSkillFunction,
  functionLimits,
  type PlannedCall,
  planSkillStep,
  wordsOf,
} from "./plan-skill-step.ts";
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

/** The characters of all that the rounds of a call give. */
const mostResults = 1_000_000;

/**
 * Works out what a tool of a skill does next: it calls other tools, and all that they do is judged as of this skill; once it has what they give, it is prepared again
 * with that, and calls further ones or computes its result.
 */
export async function prepareSkillTool(
  parts: SkillToolParts,
  args: JsonObject,
  asker: Asker,
): Promise<Preparation> {
  const { skill, tool } = parts;
  const wrong = argumentProblem(tool.parameters, args);
  if (wrong !== null) return problem("invalid-arguments", `${tool.name}: ${wrong}.`);
  const { rounds = [] } = asker.caller;
  const seen = joinAll(rounds.map(({ label }) => label));
  const label = joinLabels(seen, labelOfArguments(args, tool, asker));
  // What the skill made of the arguments and of what it got is as secret as they are. Text that nobody is known to have said is the skill's: words of others where it was installed.
  const made = joinLabels(labelOfSkill(skill), { ...bottomLabel, integrity: "agent" });
  const madeOfAll = joinLabels(label, made);
  const planned = await planSkillStep(parts, { args, rounds, label });
  if (!planned.ok) return { ...planned, label: madeOfAll };
  const step = planned.value;
  const labelOf: LabelArgument = (text) => {
    const own = asker.labelOf(text);
    const whole = own.integrity === "agent" ? joinLabels(own, made, seen) : own;
    return { ...whole, secrecy: joinLabels(own, label).secrecy };
  };
  const wanted = step.kind === "calls" ? step.calls : [];
  const called = await prepareCalls(parts, wanted, { ...asker, labelOf });
  if (!called.ok)
    return { ...called, message: `${called.message}${describeRounds(rounds)}`, label: madeOfAll };
  const calls = called.value;
  const resultLabel = joinAll([madeOfAll, ...calls.map(({ preparation }) => preparation.resultLabel)]);
  const [only, ...others] = calls;
  const results = rounds.map((round) => [...round.results]);
  return {
    ok: true,
    effects: [evaluationOf(parts, label), ...calls.flatMap(({ preparation }) => preparation.effects)],
    plan: {
      skill: skill.digest,
      tool: tool.name,
      args,
      calls: calls.map(({ name, preparation }) => [name, preparation.plan]),
      ...(results.length === 0 ? {} : { results }),
    },
    changes: calls.flatMap(({ preparation }) => preparation.changes),
    ...(only?.preparation.preview === undefined || others.length > 0
      ? {}
      : { preview: only.preparation.preview }),
    resultLabel,
    toldByEffects: joinAll(calls.map(({ preparation }) => preparation.toldByEffects ?? bottomLabel)),
    ...joinFlows(calls),
    skill: {
      origin: originOf(skill, calls),
      carries: wanted.map((call) => call.args),
      permission: strictestOf(calls.map(({ permission }) => permission)),
    },
    run: (cancel) =>
      step.kind === "calls"
        ? runCalls(parts, { calls, before: JSON.stringify(results).length }, cancel)
        : endSkillTool(parts, { args, results, label, ...step }, cancel),
  };
}

/**
 * The label of all that the arguments say. The form of a list or an object has no text of its own that has a
 * label: the model chose it.
 */
function labelOfArguments(args: JsonObject, { parameters }: SkillTool, { labelOf }: Asker): Label {
  const said = saidByArguments(args, parameters).map(({ text }) => labelOf(text));
  const hasForm = Object.values(args).some((value) => typeof value === "object");
  return joinAll(hasForm ? [...said, secrecyOf([labelOf("")])] : said);
}

/** The skill's own computation. */
function evaluationOf({ skill, tool }: SkillToolParts, label: Label): Effect {
  return {
    kind: "evaluate",
    target: `${tool.name} of the skill ${skill.head.name}`,
    language: "typescript",
    jailed: true,
    label,
    reversal: "undoable",
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
type PreparedCall = {
  readonly name: string;
  readonly permission: Permission;
  readonly preparation: Prepared;
};

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
        `The skill ${skill.head.name} would call ${beginOf(name, 60)}, and there is no such tool for it.`,
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

/** Runs the calls in order, until one fails. The skill goes on with what they gave. */
async function runCalls(
  { skill }: SkillToolParts,
  { calls, before }: { readonly calls: readonly PreparedCall[]; readonly before: number },
  cancel: AbortSignal,
): Promise<Outcome> {
  const results: Json[] = [];
  const labels: Label[] = [];
  for (const { name, preparation } of calls) {
    const outcome = await preparation.run(cancel);
    if (outcome.label !== undefined) labels.push(outcome.label);
    if (outcome.status === "error")
      return { ...outcome, ...joined(labels), message: `${name}: ${outcome.message}` };
    results.push(outcome.content);
  }
  if (before + JSON.stringify(results).length > mostResults)
    return failure({
      code: "skill-failed",
      message: `The tools that the skill ${skill.head.name} called gave more than ${mostResults} characters.`,
    });
  return { status: "success", content: results, ...joined(labels), further: true };
}

function joined(labels: readonly Label[]): { readonly label?: Label } {
  return labels.length === 0 ? {} : { label: joinAll(labels) };
}

type SkillEnd = {
  readonly args: JsonObject;
  readonly results: readonly (readonly Json[])[];
  readonly label: Label;
  readonly value?: Json;
};

/** The result of a tool: what its last step gave, what it computes of what it got, or that itself. */
async function endSkillTool(
  parts: SkillToolParts,
  { args, results: [got = []], label, value }: SkillEnd,
  cancel: AbortSignal,
): Promise<Outcome> {
  const { skill, tool } = parts;
  if (value !== undefined) return success({ value });
  const results = [...got];
  if (!tool.runs) return success({ results });
  const reply = await callSkillFunction(parts, { name: "run", values: [args, results], label }, cancel);
  if (!reply.ok) return failure({ code: "skill-failed", message: wordsOf(skill, reply) });
  if (reply.json.length > functionLimits.maxCharacters)
    return failure({
      code: "skill-failed",
      message: `The skill ${skill.head.name} gave more than ${functionLimits.maxCharacters} characters.`,
    });
  return success({ value: parseJson(reply.json), ...(reply.logs.length === 0 ? {} : { logs: reply.logs }) });
}

const strictness: readonly Permission[] = ["allow", "ask", "deny"];

function strictestOf(permissions: readonly Permission[]): Permission {
  return strictness[greatest([0, ...permissions.map((each) => strictness.indexOf(each))])] ?? "deny";
}
