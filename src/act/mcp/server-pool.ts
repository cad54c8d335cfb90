import { canonicalJson } from "../../signal/json.ts";
import type { AcceptedServer, McpServer, ToolList } from "../../signal/mcp-server.ts";
import type { ResolveHost } from "../web/send-request.ts";
import { cleanText } from "./clean-text.ts";
import { type CallReply, connect, type McpConnection, type ServerCall } from "./connect.ts";
import { sha256 } from "./list-tools.ts";
import { makePinnedFetch, type PinnedPlace } from "./pinned-fetch.ts";
import type { ServedSkill } from "./server-skills.ts";
import { prepareStart, type StartPorts, ungrantedPaths } from "./start-server.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** What connecting to servers needs. */
export type PoolPorts = StartPorts & {
  readonly resolveHost: ResolveHost;
  /** Fills the references to variables and vault values in a text of an entry. */
  readonly fill: (
    text: string,
  ) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };
  readonly version: string;
  /** Milliseconds in which a server must be there. */
  readonly connectTimeout?: number;
  /** Milliseconds after its last call at which a server is ended. */
  readonly idleTime?: number;
};

/** A failure of a server, in words that begin with what the server did: `it ended (1)`. */
export class ServerFailure extends Error {}

/** One use of a server: over the addresses that were judged. */
export type ServerUse = {
  readonly server: McpServer;
  readonly accepted: Pick<AcceptedServer, "revision"> | null;
  readonly addresses: readonly string[];
};

type Opened = {
  readonly connection: McpConnection;
  readonly place: PinnedPlace | null;
  readonly end: () => Promise<void>;
  /** Why it ended, in words; null while it is open. */
  readonly ended: () => string | null;
  idle: NodeJS.Timeout | null;
};

const usualConnectTimeout = 60_000;
const usualIdleTime = 300_000;
/** The first revision that has no sessions. Older servers are not asked for it again. */
const firstModern = "2026-07-28";

/** Open connections to servers, one each. A server is started when it is first used, and ended when it fails, is late, or is not used any more. */
export class ServerPool implements AsyncDisposable {
  readonly #ports: PoolPorts;
  readonly #open = new Map<string, Promise<Opened>>();

  constructor(ports: PoolPorts) {
    this.#ports = ports;
  }

  /** The tools that a server offers now, and the revision that was agreed upon. Throws a `ServerFailure`. */
  async list(
    use: ServerUse,
    cancel: AbortSignal,
  ): Promise<{ readonly list: ToolList; readonly revision: string }> {
    return this.#use(use, cancel, async ({ connection }) => ({
      list: await connection.list(cancel),
      revision: connection.revision,
    }));
  }

  /** A skill that a server offers, with its files. Throws a `ServerFailure`. */
  async skill(use: ServerUse, name: string, cancel: AbortSignal): Promise<ServedSkill> {
    return this.#use(use, cancel, ({ connection }) => connection.skill(name, cancel));
  }

  /** Calls a tool, if the server still offers exactly the list of this digest; else gives the list that it offers. Throws a `ServerFailure`. */
  async call(
    use: ServerUse,
    { digest, ...call }: ServerCall & { readonly digest: string },
    cancel: AbortSignal,
  ): Promise<CallReply | { readonly kind: "changed"; readonly list: ToolList }> {
    return this.#use(use, cancel, async ({ connection }) => {
      const list = await connection.list(cancel);
      return list.digest === digest ? connection.call(call, cancel) : { kind: "changed", list };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(opened.map(async (one) => (await one.catch(() => null))?.end()));
  }

  /** Whatever goes wrong ends the connection: an answer that comes later meets nobody. */
  async #use<T>(use: ServerUse, cancel: AbortSignal, act: (opened: Opened) => Promise<T>): Promise<T> {
    const key = keyOf(use.server);
    let opened: Opened | null = null;
    try {
      opened = await this.#connected(key, use, cancel);
      if (opened.idle !== null) clearTimeout(opened.idle);
      if (opened.place !== null) opened.place.addresses = use.addresses;
      const done = await act(opened);
      opened.idle = setTimeout(() => void this.#drop(key), this.#ports.idleTime ?? usualIdleTime).unref();
      return done;
    } catch (error) {
      const ended = opened?.ended() ?? null;
      await this.#drop(key);
      throw new ServerFailure(ended ?? describeFailure(error), { cause: error });
    }
  }

  async #connected(key: string, use: ServerUse, cancel: AbortSignal): Promise<Opened> {
    const known = await this.#open.get(key)?.catch(() => null);
    if (known !== undefined && known !== null && known.ended() === null) return known;
    const opening = this.#connect(use, cancel);
    this.#open.set(key, opening);
    return opening;
  }

  async #drop(key: string): Promise<void> {
    const opened = this.#open.get(key);
    this.#open.delete(key);
    const one = await opened?.catch(() => null);
    if (one?.idle !== undefined && one.idle !== null) clearTimeout(one.idle);
    await one?.end();
  }

  async #connect(use: ServerUse, cancel: AbortSignal): Promise<Opened> {
    return use.server.transport.kind === "stdio"
      ? this.#connectProcess(use, use.server.transport, cancel)
      : this.#connectHttp(use, use.server.transport, cancel);
  }

  async #connectProcess(
    { server, accepted }: ServerUse,
    transport: Extract<McpServer["transport"], { kind: "stdio" }>,
    cancel: AbortSignal,
  ): Promise<Opened> {
    const environment = new Map(
      Object.entries(transport.environment).map(([name, text]) => [name, this.#fill(text)] as const),
    );
    const args = transport.args.map((text) => this.#fill(text));
    const { name, grants } = server;
    const start = { name, command: this.#fill(transport.command), args, environment, grants };
    const prepared = await prepareStart(start, this.#ports);
    if (!prepared.ok) throw new ServerFailure(prepared.reason);
    const started: StdioTransport[] = [];
    const end = async (): Promise<void> => {
      for (const one of started) await one.close();
      await prepared.egress?.[Symbol.asyncDispose]();
    };
    try {
      const connection = await connect(
        {
          ...this.#options(server, accepted),
          makeTransport() {
            const one = new StdioTransport(prepared.process);
            started.push(one);
            return one;
          },
        },
        cancel,
      );
      return { connection, place: null, end, ended: () => started.at(-1)?.ended ?? null, idle: null };
    } catch (error) {
      const why = started.at(-1)?.ended ?? null;
      await end();
      const hidden = ungrantedPaths(start);
      const hint =
        hidden.length === 0
          ? ""
          : `. It sees no path that is not granted: ${hidden.slice(0, 3).join(", ")}. Grant it with "passepartout": {"read": […]} in its entry`;
      throw new ServerFailure(`${why ?? describeFailure(error)}${hint}`, { cause: error });
    }
  }

  async #connectHttp(
    { server, accepted, addresses }: ServerUse,
    transport: Extract<McpServer["transport"], { kind: "http" }>,
    cancel: AbortSignal,
  ): Promise<Opened> {
    const url = new URL(this.#fill(transport.url));
    const headers = Object.fromEntries(
      Object.entries(transport.headers).map(([name, text]) => [name, this.#fill(text)]),
    );
    const place: PinnedPlace = { origin: url.origin, addresses };
    const connection = await connect(
      {
        ...this.#options(server, accepted),
        makeTransport: (library) =>
          new library.StreamableHTTPClientTransport(url, {
            requestInit: { headers },
            fetch: makePinnedFetch(place),
          }),
      },
      cancel,
    );
    let ended: string | null = null;
    const end = async (): Promise<void> => {
      ended = "it was ended";
      await connection.close();
    };
    return { connection, place, end, ended: () => ended, idle: null };
  }

  #options({ callTimeout }: McpServer, accepted: ServerUse["accepted"]) {
    return {
      isLegacy: accepted !== null && accepted.revision < firstModern,
      version: this.#ports.version,
      connectTimeout: this.#ports.connectTimeout ?? usualConnectTimeout,
      callTimeout,
    };
  }

  #fill(text: string): string {
    const filled = this.#ports.fill(text);
    if (!filled.ok) throw new ServerFailure(`its entry cannot be filled in: ${filled.reason}`);
    return filled.text;
  }
}

/** The key of a server, under which it is accepted and connected: a project's servers are its own. */
export function keyOf({ name, project }: Pick<McpServer, "name" | "project">): string {
  return project === null ? name : `${name}@${project}`;
}

/** The SHA-256 of the entry of a server: another command, address, grant or declared effect is another entry. Values of variables are not in it. */
export function entryDigest({ transport, grants, declared, project, name }: McpServer): string {
  const effects = Object.fromEntries(
    [...declared].map(([tool, { effect, critical, destinations }]) => [
      tool,
      { effect, critical, destinations },
    ]),
  );
  return sha256(canonicalJson({ name, project, transport, grants, effects }));
}

/** How a server stands with its owner. */
export type ServerState = "ready" | "not-accepted" | "entry-changed" | "tools-changed";

export function stateOf(server: McpServer, accepted: AcceptedServer | null): ServerState {
  if (accepted === null) return "not-accepted";
  if (accepted.entry !== entryDigest(server)) return "entry-changed";
  return accepted.offered === undefined ? "ready" : "tools-changed";
}

/** The host, port and scheme that a server of the network is reached at; null for one of this machine, or where its address cannot be read. */
export function placeOf({
  transport,
}: McpServer): { readonly host: string; readonly port: number; readonly scheme: string } | null {
  const url = transport.kind === "http" ? URL.parse(transport.url.replaceAll(/\$\{[^}]*\}/g, "x")) : null;
  if (url === null) return null;
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { host, scheme, port: url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port) };
}

/** What a person can use of a failure: one clean line. */
function describeFailure(error: unknown): string {
  if (error instanceof ServerFailure) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  if (/timed? ?out|timeout/i.test(message)) return "it did not answer in time";
  return `it failed: ${cleanText(message, 300)}`;
}
