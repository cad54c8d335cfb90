import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { goesThroughProxy } from "../../connect/send.ts";
import { isPrivateAddress, type ResolveHost } from "../web/send-request.ts";
import {
  type Credential,
  type CredentialPorts,
  credentialsAt,
  fillHeaders,
  type Headers,
} from "./credential.ts";
import type { EgressLimits } from "./egress-limits.ts";
import { formatHostPort, type HostPort, normalHost, urlOfPlace } from "./host-port.ts";
import {
  endToEnd,
  messageOf,
  passOn,
  placeOfTunnel,
  plainAnswer,
  plainText,
  Refusal,
  statusOf,
  urlOfRequest,
} from "./http-messages.ts";

/** One connection that a command asked for, as the journal keeps it. `refused` says why it was not made, or was cut; null if it ran to its end. */
export type EgressConnection = HostPort & {
  /** Bytes to the host and from it. */
  readonly sent: number;
  readonly received: number;
  readonly refused: string | null;
  /** The names of the values that were put in. */
  readonly credentials: readonly string[];
};

/**
 * The port that connects to one of the given addresses and to nothing else; a promise gives a connection
 * that stands, through a proxy.
 */
export type Dial = (to: HostPort, addresses: readonly string[]) => Socket | Promise<Socket>;

/** The port that makes a connection an encrypted one to a host that proves its name. */
export type Secure = (socket: Socket, host: string) => Promise<Duplex>;

/** Why a place is refused that the owner was not asked about. */
export const notApproved = "the command was not approved to reach it";

/** What the proxy of one command needs. */
export type EgressProxyParts = {
  /** The places that the command may reach. All others are refused. */
  readonly allowed: readonly HostPort[];
  readonly resolveHost: ResolveHost;
  readonly dial: Dial;
  readonly secure: Secure;
  /** The values that may be put in, with what reads and covers them. */
  readonly credentials: readonly Credential[];
  readonly values: Pick<CredentialPorts, "read" | "makeMask">;
  readonly record: (connection: EgressConnection) => void;
  readonly limits: EgressLimits;
};

/**
 * An HTTP proxy on a Unix socket that carries one command's connections: tunnels (CONNECT) and plain requests, to the allowed places only.
 * It looks names up itself, refuses addresses that are not public, and connects to the addresses that it checked. It looks into no tunnel.
 * Plain requests to the place of a credential go out encrypted, with the value in the place of its placeholder; what is answered has the value covered.
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
      const place = placeOfTunnel(request.url ?? "");
      const isBound = place !== null && credentialsAt(this.#parts.credentials, place).length > 0;
      const host = await this.#connect(
        place,
        client,
        isBound ? { ...unfilled, objection: useHttp } : unfilled,
      );
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
      const { url, place, headers, filling, isBound } = this.#readRequest(request);
      const host = await this.#connect(place, response.socket, filling);
      response.on("close", () => host.destroy());
      const connection = isBound ? await this.#parts.secure(host, place?.host ?? "") : host;
      const { request: send } = await import("node:http");
      const onward = send({
        createConnection: () => connection,
        method: request.method ?? "GET",
        path: `${url?.pathname}${url?.search}`,
        headers: { ...headers, host: url?.host, connection: "close" },
      });
      const mask = isBound ? this.#parts.values.makeMask : null;
      onward.on("response", (answer) => passOn(answer, response, mask));
      onward.on("error", () => response.destroy());
      onward.on("close", () => response.headersSent || response.destroy());
      this.#count(request, host);
      request.pipe(onward);
    } catch (fault) {
      if (response.headersSent) response.destroy();
      else response.writeHead(statusOf(fault), { "content-type": plainText }).end(messageOf(fault));
    }
  }

  /** Where a plain request goes, and with which headers. At the place of a credential nothing is ever sent unencrypted. */
  #readRequest(request: IncomingMessage) {
    const { credentials, values } = this.#parts;
    const url = urlOfRequest(request.url ?? "");
    const named = url === null ? null : { host: normalHost(url.hostname), port: Number(url.port || 80) };
    const bound = named === null ? [] : credentialsAt(credentials, named);
    const headers = endToEnd(request);
    const [first] = bound;
    if (named === null || first === undefined)
      return { url, place: named, headers, filling: unfilled, isBound: false };
    const place = { host: named.host, port: first.port };
    const filled = fillHeaders(wholeAndPlain(headers), bound, values.read);
    return filled.ok
      ? {
          url,
          place,
          headers: filled.headers,
          filling: { used: filled.used, objection: null },
          isBound: true,
        }
      : { url, place, headers, filling: { used: [], objection: filled.reason }, isBound: true };
  }

  /** Connects to an allowed place, and records the connection when it ends; or records the refusal and throws it. A null place is a request that names none. */
  async #connect(
    place: HostPort | null,
    client: Duplex | null,
    { used, objection }: Filling,
  ): Promise<Socket> {
    try {
      const addresses = await this.#check(place);
      if (objection !== null) throw new Refusal(objection);
      const host = await this.#dial(place ?? noPlace, addresses, client);
      host.once("close", () => this.#record(place, host, { refused: this.#overLimit(), credentials: used }));
      return host;
    } catch (fault) {
      const why = fault instanceof Refusal ? fault.message : `it could not be reached: ${messageOf(fault)}`;
      this.#record(place, nothingSent, { refused: why, credentials: [] });
      const message = `${place === null ? "The proxy" : formatHostPort(place)}: ${why}.\n`;
      throw fault instanceof Refusal ? new Refusal(message) : new Error(message);
    }
  }

  /** Resolves when the connection stands. It is ended with the command's own, and by the time limits. */
  async #dial(place: HostPort, addresses: readonly string[], client: Duplex | null): Promise<Socket> {
    const { connectMilliseconds, idleMilliseconds } = this.#parts.limits;
    const dialled = this.#parts.dial(place, addresses);
    const host = dialled instanceof Promise ? await dialled : dialled;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (dialled instanceof Promise) resolve();
    else host.once("connect", resolve);
    host.once("error", reject);
    host.once("close", () => reject(new Error("the connection ended")));
    host.setTimeout(connectMilliseconds, () => host.destroy(new Error("no answer in time")));
    const end = (): void => void host.destroy();
    client?.once("close", end);
    host.once("close", () => client?.off("close", end));
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
    // Before the name is looked up: it throws where a proxy is set that is none.
    const isBehind = goesThroughProxy(urlOfPlace(place));
    const found =
      this.#known.get(host) ?? (isIP(host) === 0 ? this.#parts.resolveHost(host) : Promise.resolve([host]));
    this.#known.set(host, found);
    const addresses = await found.catch((fault: unknown) => {
      if (isBehind) return [];
      throw fault;
    });
    if (addresses.length === 0 && !isBehind) throw new Error("it has no address");
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
    outcome: Pick<EgressConnection, "refused" | "credentials">,
  ): void {
    if (this.#asked > this.#parts.limits.connections + 1) return;
    this.#parts.record({ ...(place ?? noPlace), sent: bytesWritten, received: bytesRead, ...outcome });
  }
}

/** The headers of a request for a whole answer without an encoding: of a part nobody could tell that it is a piece of a value. */
function wholeAndPlain({ range: _, "if-range": __, ...headers }: Headers): Headers {
  return { ...headers, "accept-encoding": ["identity"] };
}

/** What became of the placeholders of a request. */
type Filling = { readonly used: readonly string[]; readonly objection: string | null };

const unfilled: Filling = { used: [], objection: null };
const useHttp = "a credential is bound to it: write http:// for it, and the proxy makes it https";
const noPlace: HostPort = { host: "", port: 0 };
const nothingSent = { bytesWritten: 0, bytesRead: 0 };
