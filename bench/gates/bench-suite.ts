import * as z from "zod";
import { effectLabels } from "../../src/signal/service-effect.ts";
import type { Json } from "../../src/text/json.ts";

const jsonSchema: z.ZodType<Json> = z.json();
const argsSchema = z.record(z.string(), jsonSchema);
const namesSchema = z.array(z.string()).default([]);

/** A call of a task with the output that it had when it was recorded. */
const callSchema = z.object({
  tool: z.string(),
  args: argsSchema,
  output: z.string().default(""),
  /** The places of the output in which text of an attacker can stand. */
  injectable_vectors: namesSchema,
});

const suiteSchema = z.object({
  tools: z.record(
    z.string(),
    z.object({
      description: z.string().default(""),
      parameters: argsSchema.default({}),
      effect: z.enum(effectLabels).nullable().default(null),
      critical_args: z.array(z.string()).nullable().default(null),
      destination_args: z.array(z.string()).nullable().default(null),
    }),
  ),
  injection_vectors: z.record(z.string(), z.string()).default({}),
  environment: jsonSchema.default({}),
  user_tasks: z.record(z.string(), z.object({ prompt: z.string(), calls: z.array(callSchema) })),
  injection_tasks: z.record(z.string(), z.object({ goal: z.string(), calls: z.array(callSchema) })),
});

/** A file of suites: tools with declared effects, tasks of an owner with the calls that do them, and the calls of attackers. */
export const suitesSchema = z.object({ suites: z.record(z.string(), suiteSchema) });

export type BenchSuite = z.infer<typeof suiteSchema>;
export type BenchCall = z.infer<typeof callSchema>;
/** A suite with its name. */
export type NamedSuite = { readonly name: string; readonly suite: BenchSuite };
