import * as z from "zod";
import type { Caller, LabelArgument, Preparation, Tool } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";

/** A tool whose arguments are described by one strict schema. */
export type ToolDefinition<Schema extends z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly prepare: (args: z.infer<Schema>, caller: Caller, labelOf: LabelArgument) => Promise<Preparation>;
};

/** What a tool's `prepare` function gets besides the arguments. Its code is loaded on first use. */
export type ToolCall<Ports> = {
  readonly ports: Ports;
  readonly caller: Caller;
  readonly labelOf: LabelArgument;
};

/** Makes a built-in tool. Calling it is allowed, because its effects are judged. Arguments that do not fit the schema are refused with a message and never reshaped. */
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
        message: `${name}: ${beginOf(wrong.join("; "), 500)}. Arguments: ${Object.keys(schema.shape).join(", ")}.`,
      };
    },
  };
}

function jsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: node }) => {
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      // Limits that only the parser needs are left out: each byte goes out with every request.
      if (node.minLength === 1) delete node.minLength;
      if (node.minimum === 0 || node.minimum === 1) delete node.minimum;
      // Every tool is strict, so that nothing has to say it.
      delete node.additionalProperties;
      delete node.maxLength;
      delete node.minItems;
      delete node.maxItems;
    },
  });
  const printed = parseJson(JSON.stringify(rest));
  if (!isJsonObject(printed)) throw new TypeError("a schema of arguments is not printed as an object");
  return printed;
}
