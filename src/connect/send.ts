import type { Agent, IncomingMessage, RequestOptions } from "node:http";
import { isIP, isIPv6, type LookupFunction, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { describeProxy, type HttpProxy, proxyFor, type Variables } from "./proxy.ts";
import { unknownSigner, wrongName } from "./proxy-advice.ts";

/** The agents that keep connections, by where they lead. */
export type Agents = Map<string, Agent>;

/** One request. */
export type Outgoing = {
  readonly url: URL;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /**
   * The addresses that were judged: the connection goes to them, whatever the name resolves to by now. Null
   * for those that the resolver gives.
   */
  readonly addresses: readonly string[] | null;
  /** Whether what is sent is for the host alone: a proxy sees no header of it then, only the host's name. */
  readonly isConfidential: boolean;
  /** Keeps connections for the next request. Without it each request has its own. */
  readonly agents?: Agents;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Milliseconds in which a connection must stand, and for which one is kept unused, as Node's own agent does.
 */
const connectMilliseconds = 10_000;
const idleMilliseconds = 5_000;
const unknownSigners = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

/** Whether a connection failed with this code since nobody whom this machine knows signed the certificate. */
export function isUnknownSigner(code: string): boolean {
  return unknownSigners.has(code);
}

/**
 * Sends one request and gives the answer as it begins. Follows nothing and undoes no encoding. A request
 * through a proxy goes by the host's name, which the proxy resolves; what fails there is said of the proxy.
 * HTTP is loaded on first use: it is heavy.
 */
export async function send(outgoing: Outgoing, variables: Variables = process.env): Promise<IncomingMessage> {
  const proxy = proxyFor(outgoing.url, variables);
  return proxy === null ? sendDirectly(outgoing) : sendThrough(proxy, outgoing);
}

async function sendDirectly(outgoing: Outgoing): Promise<IncomingMessage> {
  const { url, addresses } = outgoing;
  // Judged addresses are for this request: no connection that another one made or leaves.
  if (addresses !== null) return start(url, { agent: false, lookup: pinAddresses(addresses) }, outgoing);
  // Node's own agent is not asked: by NODE_USE_ENV_PROXY it would reach this machine through a proxy.
  return start(url, { agent: await keptAgent(`${url.protocol}//`, outgoing) }, outgoing);
}

/**
 * A lookup that gives these addresses for any name, so that a connection goes to the addresses that were
 * checked.
 */
export function pinAddresses(addresses: readonly string[]): LookupFunction {
  return (_host, options, answer) => {
    const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const first = all[0];
    if (first === undefined) answer(new Error("no address was given"), "", 4);
    else if (options.all === true) answer(null, all);
    else answer(null, first.address, first.family);
  };
}

async function sendThrough(proxy: HttpProxy, outgoing: Outgoing): Promise<IncomingMessage> {
  const { url, headers } = outgoing;
  try {
    if (url.protocol === "http:" && !outgoing.isConfidential) {
      const authorization =
        proxy.authorization === null ? {} : { "proxy-authorization": proxy.authorization };
      const forwarded = { ...outgoing, headers: { ...headers, ...authorization, host: url.host } };
      const answer = await start(proxy.url, { agent: false, path: url.href }, forwarded);
      if (answer.statusCode !== 407) return answer;
      answer.destroy();
      throw new Error(wrongName);
    }
    return await start(url, { agent: await tunnelAgent(proxy, outgoing) }, outgoing);
  } catch (cause) {
    if (outgoing.signal?.aborted === true) throw cause;
    throw new ProxyFault(proxy, cause);
  }
}

/** What failed on the way through a proxy. */
class ProxyFault extends Error {
  readonly code: string | undefined;

  constructor(proxy: HttpProxy, cause: unknown) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
    const said = cause instanceof Error && cause.message !== "" ? cause.message : String(code);
    const why = typeof code === "string" && isUnknownSigner(code) ? unknownSigner : said;
    super(`through ${describeProxy(proxy)}: ${why}`, { cause });
    this.code = typeof code === "string" ? code : undefined;
  }
}

/**
 * What failed on the way through a proxy, in words that name it; null for any other failure. Looks along the
 * chain of causes.
 */
export function proxyFaultIn(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProxyFault) return at.message;
  return null;
}

async function start(
  url: URL,
  options: RequestOptions,
  { method = "GET", headers, body, signal }: Outgoing,
): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(url, { ...options, method, headers, ...(signal === undefined ? {} : { signal }) });
  const late = setTimeout(() => sent.destroy(noAnswer()), connectMilliseconds);
  const stands = (): void => clearTimeout(late);
  sent.once("socket", (socket) => {
    if (!socket.connecting) stands();
    else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", stands);
  });
  sent.once("response", (answer) => {
    // Whoever reads it meets the fault there; an answer that nobody reads must not end the process.
    answer.on("error", () => undefined);
    resolve(answer);
  });
  sent.on("error", reject);
  sent.once("close", stands);
  sent.end(body);
  return promise;
}

function noAnswer(): Error {
  return Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" });
}

/** An agent whose connections are tunnels through a proxy. */
async function tunnelAgent(proxy: HttpProxy, outgoing: Outgoing): Promise<Agent> {
  const { url } = outgoing;
  const agent = await keptAgent(`${proxy.url.href} ${proxy.authorization} ${url.origin}`, outgoing);
  agent.createConnection = (_options, created) => {
    openTunnel(proxy, url).then(
      (stream) => created?.(null, stream),
      // The stream of a failure is not looked at.
      (fault: unknown) => created?.(fault instanceof Error ? fault : new Error(String(fault)), noStream()),
    );
    return undefined;
  };
  return agent;
}

/** The agent of a caller that keeps its connections, else one for this request alone. */
async function keptAgent(key: string, { url, agents }: Outgoing): Promise<Agent> {
  const known = agents?.get(key);
  if (known !== undefined) return known;
  const library = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const agent = new library.Agent({ keepAlive: agents !== undefined, timeout: idleMilliseconds });
  agents?.set(key, agent);
  return agent;
}

const noStream = (): Duplex => new Duplex().destroy();

/** Asks a proxy for a tunnel to a host, with TLS to the host inside it for `https:`. */
async function openTunnel(proxy: HttpProxy, url: URL): Promise<Duplex> {
  const socket = await askForTunnel(proxy, url);
  return url.protocol === "https:" ? encrypt(socket, url.hostname.replace(/^\[|\]$/g, "")) : socket;
}

/**
 * Whether requests to a URL go through a proxy: then the proxy resolves its name, which need not be known
 * here.
 */
export function goesThroughProxy(url: URL, variables: Variables = process.env): boolean {
  return proxyFor(url, variables) !== null;
}

/** Opens a tunnel to the place of a URL through the proxy that is set for it (CONNECT). */
export async function tunnelTo(url: URL, variables: Variables = process.env): Promise<Socket> {
  const proxy = proxyFor(url, variables);
  if (proxy === null) throw new Error(`no proxy is set for ${url.host}`);
  try {
    return await askForTunnel(proxy, url);
  } catch (cause) {
    throw new ProxyFault(proxy, cause);
  }
}

async function askForTunnel(proxy: HttpProxy, url: URL): Promise<Socket> {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const place = `${url.hostname}:${port}`;
  const { request } =
    proxy.url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const authorization = proxy.authorization === null ? {} : { "proxy-authorization": proxy.authorization };
  const headers = { host: place, ...authorization };
  const asked = request(proxy.url, { method: "CONNECT", path: place, headers, agent: false });
  asked.setTimeout(connectMilliseconds, () => asked.destroy(noAnswer()));
  asked.on("error", reject);
  asked.once("connect", ({ statusCode = 0, statusMessage = "" }, socket, head) => {
    if (statusCode >= 200 && statusCode < 300) {
      socket.setTimeout(0);
      socket.on("error", () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
      return;
    }
    socket.destroy();
    reject(new Error(statusCode === 407 ? wrongName : `it refused ${place}: ${statusCode} ${statusMessage}`));
  });
  asked.end();
  return promise;
}

/**
 * TLS over an open connection, with the certificates that this Node trusts, to a host that proves its name.
 */
export async function encrypt(socket: Socket, host: string): Promise<Duplex> {
  const { connect } = await import("node:tls");
  const servername = isIP(host) === 0 ? host : "";
  const encrypted = connect({ socket, servername, host, ALPNProtocols: ["http/1.1"], minVersion: "TLSv1.2" });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  encrypted.once("secureConnect", resolve);
  encrypted.on("error", reject);
  encrypted.once("close", () => reject(new Error("the connection ended before it was encrypted")));
  await promise;
  return encrypted;
}
