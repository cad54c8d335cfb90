import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isPrivateAddress, type ResolveHost } from "../web/send-request.ts";
import { formatHostPort, type HostPort, normalHost } from "./host-port.ts";

/** One connection that a command asked for, as the journal keeps it. `refused` says why it was not made, or was cut; null if it ran to its end. */
export type EgressConnection = HostPort & {
  /** Bytes to the host and from it. */
  readonly sent: number;
  readonly received: number;
  readonly refused: string | null;
};

/** The port that connects to one of the given addresses and to nothing else. */
export type Dial = (to: HostPort, addresses: readonly string[]) => Socket;

/** The limits of one command's connections. Times in milliseconds. */
export type EgressLimits = {
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Connections and requests in all, refused ones too. */
  readonly connections: number;
  /** Connections at the same time. */
  readonly together: number;
  /** Time for the headers of a request, and for a connection to a host. */
  readonly connectMilliseconds: number;
  /** Time without a byte in either direction. */
  readonly idleMilliseconds: number;
};

/** 256 MiB out, 1 GiB in, 1,000 connections, 64 at the same time, 10 s to connect, 60 s without a byte. */
export const defaultEgressLimits: EgressLimits = {
  sentBytes: 256 * 1024 * 1024,
  receivedBytes: 1024 * 1024 * 1024,
  connections: 1_000,
  together: 64,
  connectMilliseconds: 10_000,
  idleMilliseconds: 60_000,
};

/** Why a place is refused that the owner was not asked about. */
export const notApproved = "the command was not approved to reach it";

/** What the proxy of one command needs. */
export type EgressProxyParts = {
  /** The places that the command may reach. All others are refused. */
  readonly allowed: readonly HostPort[];
  readonly resolveHost: ResolveHost;
  readonly dial: Dial;
  readonly record: (connection: EgressConnection) => void;
  readonly limits: EgressLimits;
};

/** A reason in words why a connection is refused. */
class Refusal extends Error {}

/**
 * An HTTP proxy on a Unix socket that carries one command's connections: tunnels (CONNECT) and plain requests, to the allowed places only.
 * It looks names up itself, refuses addresses that are not public, and connects to the addresses that it checked. It looks into no tunnel.
 */
export class EgressProxy implements AsyncDisposable {
  readonly #parts: EgressProxyParts;
  readonly #server: Server;
  readonly #open = new Set<Duplex>();
  readonly #known = new Map<string, Promise<readonly string[]>>();
  #asked = 0;
  #sent = 0;
  #received = 0;
  #closed = false;

  private constructor(server: Server, parts: EgressProxyParts) {
    this.#server = server;
    this.#parts = parts;
    server.maxConnections = parts.limits.together;
    server.headersTimeout = parts.limits.connectMilliseconds;
    server.timeout = parts.limits.idleMilliseconds;
    server.on("connection", (socket) => this.#keep(socket));
    server.on("connect", (request, client, head) => void this.#tunnel(request, client, head));
    server.on("request", (request, response) => void this.#forward(request, response));
    server.on("clientError", (_fault, socket) => socket.destroy());
  }

  /** Listens on a socket that does not exist yet. */
  static async listen(path: string, parts: EgressProxyParts): Promise<EgressProxy> {
    const { createServer } = await import("node:http");
    const server = createServer({ connectionsCheckingInterval: 1_000, requestTimeout: 0 });
    const proxy = new EgressProxy(server, parts);
    server.listen(path);
    await once(server, "listening");
    return proxy;
  }

  /** Ends every connection, records it, and takes no more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const ended = [this.#server, ...this.#open].map(
      (each) => new Promise((resolve) => each.once("close", resolve)),
    );
    for (const stream of this.#open) stream.destroy();
    this.#server.close();
    await Promise.all(ended);
  }

  #keep(stream: Duplex): void {
    this.#open.add(stream);
    stream.on("error", () => stream.destroy());
    stream.once("close", () => this.#open.delete(stream));
    if (this.#closed) stream.destroy();
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const host = await this.#connect(placeOfTunnel(request.url ?? ""), client);
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) client.unshift(head);
      this.#count(client, host);
      client.pipe(host);
      host.pipe(client);
      host.once("close", () => client.end(() => client.destroy()));
    } catch (fault) {
      client.end(plainAnswer(fault));
    }
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => response.destroy());
    try {
      const url = urlOfRequest(request.url ?? "");
      const place = url === null ? null : { host: normalHost(url.hostname), port: Number(url.port || 80) };
      const host = await this.#connect(place, response.socket);
      response.on("close", () => host.destroy());
      const { request: send } = await import("node:http");
      const onward = send({
        createConnection: () => host,
        method: request.method ?? "GET",
        path: `${url?.pathname}${url?.search}`,
        headers: { ...endToEnd(request), host: url?.host, connection: "close" },
      });
      onward.on("response", (answer) => passOn(answer, response));
      onward.on("error", () => response.destroy());
      onward.on("close", () => response.headersSent || response.destroy());
      this.#count(request, host);
      request.pipe(onward);
    } catch (fault) {
      if (response.headersSent) response.destroy();
      else response.writeHead(statusOf(fault), { "content-type": plainText }).end(messageOf(fault));
    }
  }

  /** Connects to an allowed place, and records the connection when it ends; or records the refusal and throws it. A null place is a request that names none. */
  async #connect(place: HostPort | null, client: Duplex | null): Promise<Socket> {
    try {
      const addresses = await this.#check(place);
      const host = await this.#dial(place ?? noPlace, addresses, client);
      host.once("close", () => this.#record(place, host, this.#overLimit()));
      return host;
    } catch (fault) {
      const why = fault instanceof Refusal ? fault.message : `it could not be reached: ${messageOf(fault)}`;
      this.#record(place, nothingSent, why);
      const message = `${place === null ? "The proxy" : formatHostPort(place)}: ${why}.\n`;
      throw fault instanceof Refusal ? new Refusal(message) : new Error(message);
    }
  }

  /** Resolves when the connection stands. It is ended with the command's own, and by the time limits. */
  async #dial(place: HostPort, addresses: readonly string[], client: Duplex | null): Promise<Socket> {
    const { connectMilliseconds, idleMilliseconds } = this.#parts.limits;
    const host = this.#parts.dial(place, addresses);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    host.once("connect", resolve);
    host.once("error", reject);
    host.once("close", () => reject(new Error("the connection ended")));
    host.setTimeout(connectMilliseconds, () => host.destroy(new Error("no answer in time")));
    client?.once("close", () => host.destroy());
    this.#keep(host);
    await promise;
    host.setTimeout(idleMilliseconds, () => host.destroy());
    return host;
  }

  /** The addresses of a place that may be reached. The first answer of the resolver holds for the whole command. */
  async #check(place: HostPort | null): Promise<readonly string[]> {
    this.#asked += 1;
    if (this.#asked > this.#parts.limits.connections)
      throw new Refusal("the command made too many connections");
    if (place === null)
      throw new Refusal("it takes CONNECT HOST:PORT, and http requests with a full URL without a user name");
    if (!this.#parts.allowed.some(({ host, port }) => host === place.host && port === place.port))
      throw new Refusal(notApproved);
    const { host } = place;
    const found =
      this.#known.get(host) ?? (isIP(host) === 0 ? this.#parts.resolveHost(host) : Promise.resolve([host]));
    this.#known.set(host, found);
    const addresses = await found;
    if (addresses.length === 0) throw new Error("it has no address");
    const inside = addresses.find(isPrivateAddress);
    if (inside !== undefined) throw new Refusal(`it leads to ${inside}, which is not a public address`);
    return addresses;
  }

  /** Ends all connections when the command has sent or received too much. */
  #count(client: NodeJS.ReadableStream, host: Socket): void {
    const end = (): void => {
      if (this.#overLimit() === null) return;
      for (const stream of this.#open) stream.destroy();
    };
    client.on("data", (bytes: Buffer) => {
      this.#sent += bytes.length;
      end();
    });
    host.on("data", (bytes: Buffer) => {
      this.#received += bytes.length;
      end();
    });
  }

  #overLimit(): string | null {
    const { sentBytes, receivedBytes } = this.#parts.limits;
    if (this.#sent > sentBytes) return `the command sent more than ${sentBytes} bytes`;
    return this.#received > receivedBytes ? `the command received more than ${receivedBytes} bytes` : null;
  }

  #record(
    place: HostPort | null,
    { bytesWritten, bytesRead }: Pick<Socket, "bytesWritten" | "bytesRead">,
    refused: string | null,
  ): void {
    if (this.#asked > this.#parts.limits.connections + 1) return;
    this.#parts.record({ ...(place ?? noPlace), sent: bytesWritten, received: bytesRead, refused });
  }
}

const noPlace: HostPort = { host: "", port: 0 };
const nothingSent = { bytesWritten: 0, bytesRead: 0 };
const plainText = "text/plain; charset=utf-8";

/** The target of a CONNECT: exactly `HOST:PORT`; null for any other form. */
function placeOfTunnel(authority: string): HostPort | null {
  const [, host, port] = /^([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/.exec(authority) ?? [];
  return host === undefined || port === undefined ? null : { host: normalHost(host), port: Number(port) };
}

/** The URL of a plain request, as a client sends it to a proxy; null for any other form. */
function urlOfRequest(text: string): URL | null {
  const url = /^http:\/\//i.test(text) ? URL.parse(text) : null;
  return url === null || url.username !== "" || url.password !== "" ? null : url;
}

/** Gives an answer to the command as the host gave it. */
function passOn(answer: IncomingMessage, response: ServerResponse): void {
  answer.on("error", () => response.destroy());
  try {
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer));
    answer.pipe(response);
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault;
    response.destroy(fault);
  }
}

const statusOf = (fault: unknown): number => (fault instanceof Refusal ? 403 : 502);

function plainAnswer(fault: unknown): string {
  const message = messageOf(fault);
  const length = Buffer.byteLength(message);
  return `HTTP/1.1 ${statusOf(fault)} ${statusOf(fault) === 403 ? "Forbidden" : "Bad Gateway"}\r\ncontent-type: ${plainText}\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n${message}`;
}

const hopByHop = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer upgrade".split(
    " ",
  ),
);

/** The headers without those that are for one connection only (RFC 9110, 7.6.1). */
function endToEnd({ rawHeaders, headers }: IncomingMessage): Record<string, string[]> {
  const dropped = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const kept: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (hopByHop.has(name) || dropped.has(name) || name === "host") continue;
    kept[name] = [...(kept[name] ?? []), rawHeaders[at + 1] ?? ""];
  }
  return kept;
}

function messageOf(fault: unknown): string {
  return (fault instanceof Error ? fault.message || fault.name : String(fault)).slice(0, 300);
}
