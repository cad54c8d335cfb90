import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** `redirects` leads calls to another origin, `floods` never ends an answer, `floods-events` sends one notification after the other, `refuses` knows no key, `lost` has no such address, `hangs` gives none; `drips`, `drips-headers` and `drips-events` send one byte, one of the headers, or one comment of a stream a while, and never end. */
export type HttpMode =
  | "plain"
  | "redirects"
  | "floods"
  | "floods-events"
  | "refuses"
  | "lost"
  | "hangs"
  | "drips"
  | "drips-headers"
  | "drips-events";

/** A server of tools over streamable HTTP on loopback, in one of its modes, with what it was sent. */
export type HttpServer = {
  readonly port: number;
  /** How it answers calls from now on. */
  mode: HttpMode;
  /** Answers to calls that it has not ended, and whose connection is still there. */
  readonly unended: () => number;
  readonly requests: readonly { readonly method: string; readonly headers: IncomingMessage["headers"] }[];
};

const echo = {
  name: "echo",
  description: "Echoes a message back",
  inputSchema: { type: "object", properties: { message: { type: "string" } } },
};

/** Starts it. */
export async function startHttpServer(t: TestContext, revision: string, mode: HttpMode): Promise<HttpServer> {
  const requests: { method: string; headers: IncomingMessage["headers"] }[] = [];
  const unended = new Set<ServerResponse>();
  const isModern = revision >= "2026";
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method = "" } = readMessage(await text(request));
    requests.push({ method, headers: request.headers });
    const reply = (message: object): void =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...message }));
    const complete = isModern ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {};
    if (id === undefined) return void response.writeHead(202).end();
    const { mode } = running;
    if (method === "tools/call" && mode !== "plain") {
      unended.add(response);
      response.once("close", () => unended.delete(response));
    }
    const drip = drips.get(mode);
    if (method === "tools/call" && drip !== undefined) return dripInto(response, drip);
    if (method === "tools/call" && mode === "redirects")
      return void response.writeHead(307, { location: "http://localhost:1/other" }).end();
    if (method === "tools/call" && mode === "hangs") return;
    if (method === "tools/call" && mode === "refuses") return void response.writeHead(401).end();
    if (method === "tools/call" && mode === "lost") return void response.writeHead(404).end("<html>");
    if (method === "tools/call" && mode === "floods")
      return flood(response, "application/json", "x".repeat(65_536));
    if (method === "tools/call" && mode === "floods-events")
      return flood(response, "text/event-stream", notice.repeat(500));
    if (method === "server/discover" && isModern)
      return reply({ result: { ...complete, supportedVersions: [revision], capabilities: { tools: {} } } });
    if (method === "initialize" && !isModern)
      return reply({
        result: {
          protocolVersion: revision,
          capabilities: { tools: {} },
          serverInfo: { name: "http", version: "1" },
        },
      });
    if (method === "tools/list") return reply({ result: { ...complete, tools: [echo] } });
    if (method === "tools/call")
      return reply({ result: { ...complete, content: [{ type: "text", text: "echo" }] } });
    return reply({ error: { code: -32601, message: "Method not found" } });
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const running: HttpServer = { port: address.port, requests, mode, unended: () => unended.size };
  return running;
}

/** What begins an answer that never ends, and what follows again and again. */
type Drip = { readonly begin: string; readonly more: string };
const drips: ReadonlyMap<HttpMode, Drip> = new Map([
  ["drips", { begin: head("application/json"), more: " " }],
  ["drips-headers", { begin: "HTTP/1.1 200 OK\r\nx-long: ", more: "x" }],
  ["drips-events", { begin: head("text/event-stream"), more: ": still there\n\n" }],
]);

function head(type: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n\r\n`;
}

function dripInto(response: ServerResponse, { begin, more }: Drip): void {
  const { socket } = response;
  socket?.write(begin);
  const clock = setInterval(() => socket?.write(more), 100);
  socket?.on("error", () => socket.destroy()).once("close", () => clearInterval(clock));
}

function readMessage(body: string): { readonly id?: string | number; readonly method?: string } {
  const message: unknown = JSON.parse(body);
  return Object(message);
}

const notice = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}\n\n`;

function flood(response: ServerResponse, type: string, piece: string): void {
  response.writeHead(200, { "content-type": type });
  const write = (): void => {
    let mayWrite = true;
    while (mayWrite && !response.destroyed) mayWrite = response.write(piece);
  };
  response.on("drain", write).on("error", () => response.destroy());
  write();
}
