import * as z from "zod";
import type { JsonObject } from "../../signal/json.ts";
import type { Caller, LabelArgument, Preparation, Tool } from "../../signal/tool.ts";

/** A tool whose arguments are described once, in a strict schema. */
export type ToolDefinition<Schema extends z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly prepare: (args: z.infer<Schema>, caller: Caller, labelOf: LabelArgument) => Promise<Preparation>;
};

/** What a tool's preparation gets beside the arguments. The code of a preparation is loaded when the tool is first used. */
export type ToolCall<Ports> = {
  readonly ports: Ports;
  readonly caller: Caller;
  readonly labelOf: LabelArgument;
};

/** A built-in tool: its effects are judged, so calling it is allowed. Arguments that do not fit the schema are refused in words and never reshaped. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, schema } = definition;
  return {
    name,
    description,
    permission: "allow",
    parameters: jsonSchema(schema),
    async prepare(args, caller, labelOf) {
      const parsed = schema.safeParse(args);
      if (parsed.success) return await definition.prepare(parsed.data, caller, labelOf);
      const wrong = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
      return {
        ok: false,
        code: "invalid-arguments",
        message: `${name}: ${wrong.join("; ").slice(0, 500)}. Arguments: ${Object.keys(schema.shape).join(", ")}.`,
      };
    },
  };
}

function jsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: node }) => {
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minLength === 1) delete node.minLength;
    },
  });
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(rest)));
}
