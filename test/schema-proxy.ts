import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** A pass-through to a real server that lets its model write nothing but one of three actions. */
export type SchemaProxy = AsyncDisposable & {
  readonly url: string;
  /** Sets the seed of the model's choices. */
  readonly seed: (seed: number) => void;
};

const explanation = { const: "The owner asked" };
const requestBody = z.record(z.string(), z.json());
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
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { tools: _taken, ...body } = requestBody.parse(JSON.parse(await textOf(request)));
      state.seed += 1000;
      const changed = {
        ...body,
        seed: state.seed,
        temperature: 1.5,
        response_format: { type: "json_schema", json_schema: { name: "action", schema } },
      };
      const answer = await fetch(`${target}${request.url ?? ""}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(changed),
      });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      for await (const bytes of answer.body ?? []) response.write(bytes);
      response.end();
    };
    pass().catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seed(seed) {
      state.seed = seed;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
