import { appendFileSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { protocolOf } from "./loopback-protocols.ts";
import type { Protocol, Spoken } from "./protocol.ts";

/** What goes wrong in place of an answer. `cut-off` ends the stream politely, `break-off` destroys the socket, both after the text. */
export type Fault =
  | "hang"
  | "hang-after-text"
  | "break-off"
  | "cut-off"
  | "error-in-stream"
  | "html"
  | "malformed"
  | "json"
  | "nothing"
  | "reset";

/** One request's answer. Steps are used in order, each once; one with `when` waits for a request that contains it. */
export type Step = {
  readonly when?: string;
  readonly repeat?: boolean;
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  readonly signature?: string;
  /** Pieces of chat completions as a server sends them, before the text. */
  readonly deltas?: readonly object[];
  readonly calls?: readonly {
    readonly id?: string;
    readonly name: string;
    /** An object, or the very text, which need not parse. */
    readonly arguments: string | object;
  }[];
  readonly usage?: { readonly input: number; readonly output: number };
  /** The usage exactly as a provider sends it, in the words of its protocol. */
  readonly sentUsage?: object;
  readonly finish?: "stop" | "length";
  /** Nothing is said before this resolves. */
  readonly after?: Promise<unknown>;
  /** Milliseconds before each piece: a slow drip. */
  readonly pauseMs?: number;
  readonly fault?: Fault;
  /** An HTTP status instead of an answer. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
};

/** One request as it came. */
export type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** Size of the body. */
  readonly bytes: number;
};

/** A provider on loopback, under test control. */
export type LoopbackProvider = AsyncDisposable & {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  readonly requests: readonly Recorded[];
  readonly add: (...steps: readonly Step[]) => void;
  /** Drops the steps that are left, and gives how many there were. */
  readonly drop: () => number;
  /** Resolves when so many requests have come. */
  readonly reached: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a real HTTP server on 127.0.0.1 that speaks the three protocols and every fault. It never keeps a process alive. */
export async function startLoopbackProvider(
  steps: readonly Step[],
  options: {
    readonly port?: number;
    readonly onRequest?: (request: Recorded) => void;
    /** What `GET …/models` lists; such questions are no steps and are not recorded. */
    readonly models?: readonly string[];
    /** What Ollama's `POST /api/show` tells of each model; without it there is no such page. Such questions are not recorded either. */
    readonly show?: object;
    /** The answer to a request, made of its body, instead of a step. */
    readonly answer?: (body: string) => Step;
  } = {},
): Promise<LoopbackProvider> {
  const left = [...steps];
  const requests: Recorded[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const take = (body: string): Step => {
    if (options.answer !== undefined) return options.answer(body);
    const index = left.findIndex(({ when }) => when === undefined || body.includes(when));
    const step = left[index];
    if (step !== undefined && step.repeat !== true) left.splice(index, 1);
    return step ?? { status: 400, body: '{"error":{"message":"the script has no step left"}}' };
  };
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method === "GET" && /\/models(\?|$)/.test(request.url ?? "")) {
        const list = options.models ?? [];
        response.writeHead(list.length === 0 ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify({ object: "list", data: list.map((id) => ({ id, object: "model" })) }));
        return;
      }
      if (request.url === "/api/show") {
        response.writeHead(options.show === undefined ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(options.show ?? {}));
        return;
      }
      const recorded = await record(request);
      requests.push(recorded);
      options.onRequest?.(recorded);
      const step = take(recorded.body);
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
      await play(step, recorded, response);
    };
    answer().catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = addressOf(server.address());
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    drop: () => left.splice(0).length,
    add: (...more) => {
      left.push(...more);
    },
    reached: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            waiting.push({ count, resolve });
          }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The address of a port on loopback that nobody listens on. */
export async function refusingUrl(): Promise<string> {
  const provider = await startLoopbackProvider([]);
  await provider.close();
  return provider.url;
}

async function record(request: IncomingMessage): Promise<Recorded> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const { method = "", url: path = "" } = request;
  return { method, path, headers, body: body.toString("utf8"), bytes: body.length };
}

async function play(step: Step, { path }: Recorded, response: ServerResponse): Promise<void> {
  const protocol = protocolOf(path);
  if (step.status !== undefined || protocol === null) {
    const type = step.body?.startsWith("<") === true ? "text/html" : "application/json";
    response.writeHead(step.status ?? 404, { "content-type": type, ...step.headers });
    response.end(step.body ?? '{"error":{"message":"as the script says","type":"scripted"}}');
    return;
  }
  switch (step.fault) {
    case "hang":
      return;
    case "reset":
      response.destroy();
      return;
    case "html":
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end("<!doctype html><title>Log in</title><p>Please log in to the network.");
      return;
    case "json":
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"hello":');
      return;
    case "hang-after-text":
    case "break-off":
    case "cut-off":
    case "error-in-stream":
    case "malformed":
    case "nothing":
    case undefined:
      await stream(step, protocol, response);
  }
}

async function stream(step: Step, protocol: Protocol, response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    ...step.headers,
  });
  response.flushHeaders();
  const spoken = spokenOf(step);
  for (const piece of step.fault === "nothing" ? [] : protocol.body(spoken)) {
    await step.after;
    if (step.pauseMs !== undefined) await pause(step.pauseMs, undefined, { ref: false });
    if (response.destroyed) return;
    await new Promise<void>((resolve) => {
      response.write(piece, () => resolve());
    });
  }
  switch (step.fault) {
    case "hang-after-text":
      return;
    case "break-off":
      response.socket?.resetAndDestroy();
      return;
    case "cut-off":
    case "nothing":
      response.end();
      return;
    case "malformed":
      response.end('data: {"choices":[{"delta":{"content":"half\n\ndata: [DONE]\n\n');
      return;
    case "error-in-stream":
      response.end(protocol.error("the model is overloaded"));
      return;
    case "hang":
    case "html":
    case "json":
    case "reset":
    case undefined:
      response.end(protocol.end(spoken).join(""));
  }
}

function spokenOf(step: Step): Spoken {
  const { text = [], thinking = "", signature = "", deltas = [], calls = [], finish = "stop" } = step;
  return {
    model: "loopback",
    thinking,
    signature,
    deltas,
    pieces: typeof text === "string" ? [text].filter((piece) => piece !== "") : text,
    calls: calls.map(({ id, name, arguments: args }, index) => ({
      id: id ?? `call-${index + 1}`,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    })),
    usage: step.usage ?? { input: 10, output: 5 },
    sentUsage: step.sentUsage ?? null,
    finish,
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

function readSteps(text: string): readonly Step[] {
  const value: unknown = JSON.parse(text);
  if (!isSteps(value)) throw new Error("a script is a JSON list of steps");
  return value;
}

function isSteps(value: unknown): value is readonly Step[] {
  return Array.isArray(value) && value.every((step) => typeof step === "object" && step !== null);
}

/** `node test/loopback-provider.ts [--port N] [--script FILE] [--log FILE]`: a script is a JSON list of steps, the log gets one request a line. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: "string" }, script: { type: "string" }, log: { type: "string" } },
  });
  const steps = values.script === undefined ? [] : readSteps(readFileSync(values.script, "utf8"));
  const { log } = values;
  const provider = await startLoopbackProvider(steps, {
    port: Number(values.port ?? 0),
    ...(log !== undefined && { onRequest: (request) => appendFileSync(log, `${JSON.stringify(request)}\n`) }),
  });
  process.stdout.write(`${JSON.stringify({ port: provider.port, url: provider.url })}\n`);
  const alive = setInterval(() => undefined, 60_000);
  process.once("SIGTERM", () => {
    clearInterval(alive);
    void provider.close();
  });
}

if (import.meta.main) await main();
