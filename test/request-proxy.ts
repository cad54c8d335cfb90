import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** A pass-through to a real server, on loopback. */
export type RequestProxy = AsyncDisposable & {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
};

type Body = z.infer<typeof requestBody>;

const requestBody = z.record(z.string(), z.json());

/** Opens a pass-through that changes the body of each request; a request without a body goes on as it is. */
export async function openRequestProxy(
  target: string,
  change: (body: Body) => object,
): Promise<RequestProxy> {
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const text = await textOf(request);
      const answer = await fetch(`${target}${request.url ?? ""}`, {
        method: request.method ?? "GET",
        headers: { "content-type": "application/json" },
        ...(text === "" ? {} : { body: JSON.stringify(change(requestBody.parse(JSON.parse(text)))) }),
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
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Opens a pass-through that lets an answer have at most so many tokens: a model that ends none by itself
 * takes longer for each one.
 */
export function openAnswerCutter(target: string, tokens: number): Promise<RequestProxy> {
  return openRequestProxy(target, (body) => ({
    ...body,
    max_tokens: Math.min(tokens, Number(body["max_tokens"] ?? tokens)),
  }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
