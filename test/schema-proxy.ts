import { openRequestProxy, type RequestProxy } from "./request-proxy.ts";

/** A pass-through to a real server that lets its model write nothing but one of three actions. */
export type SchemaProxy = RequestProxy & {
  /** Sets the seed of the model's choices. */
  readonly seed: (seed: number) => void;
};

const explanation = { const: "The owner asked" };
const word = { type: "string", maxLength: 6 };

function action(target: string, payload: object): object {
  return objectOf({ target: { const: target }, payload, explanation });
}

function objectOf(properties: object): object {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function toolCall(tool: string, args: object): object {
  return action("tool", objectOf({ tool: { const: tool }, args: objectOf(args) }));
}

const schema = {
  anyOf: [
    toolCall("read-file", { path: { enum: ["plan.txt", "missing.txt", "../outside.txt"] } }),
    toolCall("write-file", { path: { enum: ["made.txt", "plan.txt"] }, content: word }),
    action("shell", objectOf({ cmd: { enum: ["ls", "cat plan.txt", "rm plan.txt", "wc -l plan.txt"] } })),
  ],
};

/** Opens the pass-through: it adds the schema and a seed to each request, and takes its tools away. */
export async function openSchemaProxy(target: string): Promise<SchemaProxy> {
  const state = { seed: 1 };
  const proxy = await openRequestProxy(target, ({ tools: _taken, ...body }) => {
    state.seed += 1000;
    return {
      ...body,
      seed: state.seed,
      temperature: 1.5,
      response_format: { type: "json_schema", json_schema: { name: "action", schema } },
    };
  });
  return {
    ...proxy,
    seed(seed) {
      state.seed = seed;
    },
  };
}
