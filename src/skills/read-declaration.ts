import * as z from "zod";
import type { JsonObject } from "../signal/json.ts";
import { parseJson } from "../signal/parse-json.ts";
import type { SkillDeclaration } from "../signal/skill.ts";
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
const tool = z
  .strictObject({
    description: words,
    parameters: z.record(argument, parameter).optional(),
    calls: given.optional(),
    run: given.optional(),
    steps: given.optional(),
  })
  .refine(({ calls, run, steps }) => (steps === undefined) === (calls !== undefined || run !== undefined), {
    error: "a tool has a function run or calls, or a generator steps in their place",
  });

/** What a module may export. Functions stand in it as `[function]`. */
const exportsSchema = z.strictObject({
  trigger: given.optional(),
  prompt: given.optional(),
  recover: given.optional(),
  tools: named(tool).optional(),
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
  const { trigger, prompt, recover, tools = {}, gates = {}, commands = {} } = parsed.data;
  return {
    ok: true,
    declared: {
      triggers: trigger !== undefined,
      prompts: prompt !== undefined,
      ...(recover === undefined ? {} : { recovers: true }),
      tools: Object.entries(tools).map(([name, { description, parameters = {}, calls, run, steps }]) => ({
        name,
        description,
        parameters: schemaOf(parameters),
        calls: calls !== undefined,
        runs: run !== undefined,
        ...(steps === undefined ? {} : { steps: true as const }),
      })),
      gates: Object.entries(gates).map(([name, { effects }]) => ({ name, effects: [...new Set(effects)] })),
      commands: Object.entries(commands).map(([name, { help }]) => ({ name, help })),
    },
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
