import * as z from "zod";
import type { EffectKind } from "../signal/effect.ts";
import type { SkillDeclaration, SkillTool } from "../signal/skill.ts";
import type { JsonObject } from "../text/json.ts";
import { parseJson } from "../text/parse-json.ts";
import { guardable, skillName } from "./read-skill-file.ts";

const words = z.string().min(1).max(300);
const given = z.literal("[function]");
const scalars = ["string", "number", "integer", "boolean"] as const;
const parameter = z.strictObject({
  type: z.enum([...scalars, "array"]),
  description: words.optional(),
  enum: z.array(z.string().max(100)).min(1).max(50).optional(),
  items: z.strictObject({ type: z.enum(scalars) }).optional(),
  optional: z.boolean().optional(),
});
type Parameter = z.infer<typeof parameter>;
const named = <Value extends z.ZodType>(value: Value) => z.record(z.string().regex(skillName), value);
const argument = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/);
const toolSchema = z.strictObject({
  description: words,
  parameters: z.record(argument, parameter).optional(),
  calls: given.optional(),
  run: given.optional(),
  steps: given.optional(),
});
type GivenTool = z.infer<typeof toolSchema> & { readonly effects?: readonly EffectKind[] };
const hasFunctions = ({ calls, run, steps }: GivenTool): boolean =>
  (steps === undefined) === (calls !== undefined || run !== undefined);
const functionsOf = (what: string) => ({
  error: `${what} has a function run or calls, or a generator steps in their place`,
});
const tool = toolSchema.refine(hasFunctions, functionsOf("a tool"));
const actuator = toolSchema
  .extend({ effects: z.array(z.enum(guardable)) })
  .refine(hasFunctions, functionsOf("an actuator"));

/** What a module may export. Functions stand in it as `[function]`. */
const exportsSchema = z.strictObject({
  trigger: given.optional(),
  prompt: given.optional(),
  mandate: given.optional(),
  recover: given.optional(),
  tools: named(tool).optional(),
  actuators: named(actuator).optional(),
  gates: named(z.strictObject({ effects: z.array(z.enum(guardable)).min(1), answer: given })).optional(),
  commands: named(z.strictObject({ help: words })).optional(),
});

/** What a skill without code brings. */
export const nothingDeclared: SkillDeclaration = {
  triggers: false,
  prompts: false,
  tools: [],
  gates: [],
  commands: [],
};

/** What the code of a skill brings, from the JSON that describes its exports; or in words why it may not. */
export function readDeclaration(
  json: string,
):
  | { readonly ok: true; readonly declared: SkillDeclaration }
  | { readonly ok: false; readonly problem: string } {
  const parsed = exportsSchema.safeParse(parseJson(json));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(".") || "its exports";
    return { ok: false, problem: `${place}: ${describeIssue(issue?.message)}`.slice(0, 500) };
  }
  const {
    trigger,
    prompt,
    mandate,
    recover,
    tools = {},
    actuators = {},
    gates = {},
    commands = {},
  } = parsed.data;
  const twice = Object.keys(actuators).find((name) => Object.hasOwn(tools, name));
  if (twice !== undefined)
    return { ok: false, problem: `actuators.${twice}: a tool has this name already. Rename one of them` };
  return {
    ok: true,
    declared: {
      triggers: trigger !== undefined,
      prompts: prompt !== undefined,
      ...(mandate === undefined ? {} : { mandates: true }),
      ...(recover === undefined ? {} : { recovers: true }),
      tools: [...Object.entries(tools), ...Object.entries(actuators)].map(declaredTool),
      gates: Object.entries(gates).map(([name, { effects }]) => ({ name, effects: [...new Set(effects)] })),
      commands: Object.entries(commands).map(([name, { help }]) => ({ name, help })),
    },
  };
}

function declaredTool([name, tool]: [string, GivenTool]): SkillTool {
  const { description, parameters = {}, calls, run, steps, effects } = tool;
  return {
    name,
    description,
    parameters: schemaOf(parameters),
    calls: calls !== undefined,
    runs: run !== undefined,
    ...(steps === undefined ? {} : { steps: true as const }),
    ...(effects === undefined ? {} : { effects: [...new Set(effects)] }),
  };
}

/** What the schema says, in the words of the language. */
function describeIssue(message = "cannot be read"): string {
  return message.replace("Invalid input: ", "").replace("expected record", "expected object");
}

function schemaOf(parameters: Readonly<Record<string, Parameter>>): JsonObject {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, { type, description, items, enum: choices }]) => [
        name,
        {
          type,
          ...(description === undefined ? {} : { description }),
          ...(choices === undefined ? {} : { enum: choices }),
          ...(items === undefined ? {} : { items }),
        },
      ]),
    ),
    required: entries.filter(([, { optional }]) => optional !== true).map(([name]) => name),
  };
}
