import * as z from "zod";
import { type CallRound, describeRounds } from "../../../signal/call-round.ts";
import type { CallSkill, JailReply } from "../../../signal/jail-work.ts";
import type { Label } from "../../../signal/label.ts";
import type { AcceptedSkill, SkillTool } from "../../../signal/skill.ts";
import { beginOf } from "../../../text/cut-text.ts";
import type { Json, JsonObject } from "../../../text/json.ts";
import { parseJson } from "../../../text/parse-json.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";

/** A tool of a skill, and what calls its functions. */
export type SkillFunctions = {
  readonly skill: AcceptedSkill;
  readonly tool: SkillTool;
  readonly ports: { readonly call: CallSkill };
};

/** What a tool of a skill does next: it calls tools, and is asked again with what they gave; or it ends, with a value where it made one already. */
export type SkillStep =
  | { readonly kind: "calls"; readonly calls: readonly PlannedCall[] }
  | { readonly kind: "end"; readonly value?: Json };

/** A tool that a skill would call. */
export type PlannedCall = z.infer<typeof callsSchema>[number];

/** Milliseconds that a function of a skill may take, and the characters of what it gives. */
export const functionLimits = { milliseconds: 2000, maxCharacters: 100_000 };
const mostCalls = 10;
const mostRounds = 10;
const callsSchema = z
  .array(z.strictObject({ tool: z.string().max(100), args: z.record(z.string(), z.json()) }))
  .max(mostCalls);
const stepSchema = z.union([
  z.strictObject({ done: z.literal(false), value: callsSchema }),
  z.strictObject({ done: z.literal(true), value: z.json().optional() }),
]);

/** Asks the skill, in its jail, what its tool does next. `label`: of all that it is told. */
export async function planSkillStep(
  parts: SkillFunctions,
  {
    args,
    rounds,
    label,
  }: { readonly args: JsonObject; readonly rounds: readonly CallRound[]; readonly label: Label },
): Promise<Fallible<SkillStep>> {
  const { tool, skill } = parts;
  const failed = (message: string) => problem("skill-failed", `${message}${describeRounds(rounds)}`);
  if (tool.steps !== true && (!tool.calls || rounds.length > 0)) return done({ kind: "end" });
  const never = new AbortController().signal;
  const replies = tool.steps === true ? { replies: rounds.map(({ results }) => [...results]) } : {};
  const name = tool.steps === true ? "steps" : "calls";
  const reply = await callSkillFunction(parts, { name, values: [args], label, ...replies }, never);
  if (!reply.ok) return failed(wordsOf(skill, reply));
  const given = parseJson(reply.json);
  const read = stepSchema.safeParse(tool.steps === true ? given : { done: false, value: given });
  if (!read.success)
    return failed(
      `The skill ${skill.head.name} named its calls in a form that cannot be read: a list of at most ${mostCalls} objects { tool, args }.`,
    );
  const step = read.data;
  if (step.done) return done({ kind: "end", value: step.value ?? null });
  if (rounds.length < mostRounds) return done({ kind: "calls", calls: step.value });
  return failed(`The skill ${skill.head.name} wanted further calls after ${mostRounds} rounds of them.`);
}

/** A call of a function of a tool: of a generator with what each of its yields gives. */
type FunctionCall = {
  readonly name: "calls" | "run" | "steps";
  readonly values: readonly Json[];
  readonly replies?: readonly Json[];
  /** The label of all that goes in. */
  readonly label: Label;
};

/** Calls a function of a tool of a skill, in its jail. */
export function callSkillFunction(
  { skill, tool, ports }: SkillFunctions,
  { name, values, replies, label }: FunctionCall,
  cancel: AbortSignal,
): Promise<JailReply> {
  const call = {
    path: [tool.effects === undefined ? "tools" : "actuators", tool.name, name],
    values: JSON.stringify(values),
    ...(replies === undefined ? {} : { replies: JSON.stringify(replies) }),
    limits: functionLimits,
    label,
  };
  return ports.call(skill, call, cancel);
}

/** Why a function of a skill gave nothing, in words. */
export function wordsOf(
  { head }: AcceptedSkill,
  { code, message }: JailReply & { readonly ok: false },
): string {
  const why = code === "thrown" || code === "jail-failed" ? beginOf(message, 500) : code;
  return `The skill ${head.name} failed: ${why}.`;
}
