import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { type ResolveHost, type SendRequest, sendRequest } from "../web/send-request.ts";
import { makeFetchUrlTool } from "./fetch-url.ts";
import type { FetchPorts } from "./prepare-fetch-url.ts";
import { callerAt, prepareCall } from "./workbench.fixture.ts";

/** A fetch that nobody stops. */
export const go: AbortSignal = new AbortController().signal;
/** A resolver that must not be asked. */
export const nobody: ResolveHost = (host) => Promise.reject(new Error(`${host} was looked up`));
/** An address that is public. */
export const publicAddress = "93.184.215.14";

/** Listens on loopback, and ends every connection at disposal. */
export async function listening(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** An HTTP server on loopback. */
export const serving = (listener: RequestListener) => listening(createServer(listener));
/** A server on loopback that sends one text to who connects. */
export const sending = (text: string) => listening(createTcpServer((socket) => socket.end(text)));

/** A resolver that gives these answers in turn, and what it was asked. */
export function answering(...answers: readonly (readonly string[])[]) {
  const left = [...answers];
  const asked: string[] = [];
  const resolveHost: ResolveHost = async (host) => {
    asked.push(host);
    return left.shift() ?? [];
  };
  return { resolveHost, asked };
}

/** Sends to a server on loopback what would go to public addresses, and keeps to which. */
export function outward() {
  const reached: (readonly string[])[] = [];
  const send: SendRequest = (url, addresses, signal) => {
    reached.push(addresses);
    return sendRequest(url, ["127.0.0.1"], signal);
  };
  return { sendRequest: send, reached };
}

/** Never resolves. */
export const hang = () => new Promise<never>(() => undefined);

/** The outcome of fetching a URL. */
export async function fetched(url: string, ports: Partial<FetchPorts> = {}) {
  return await (
    await prepareCall(makeFetchUrlTool({ resolveHost: nobody, ...ports }), { url }, callerAt(null))
  ).run(go);
}
