import type { Transport } from "@modelcontextprotocol/client";
import type { AcceptedServer, McpServer, ProgramFile } from "../../signal/mcp-server.ts";
import { connect, type McpConnection } from "./connect.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import { makePinnedFetch, type PinnedPlace } from "./pinned-fetch.ts";
import { describeFailure, ServerFailure, statusOf } from "./server-failure.ts";
import { hintOf, prepareStart, type StartPorts } from "./start-server.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { type LoginUse, useLogin } from "./use-login.ts";

/** What connecting to servers needs. */
export type OpenPorts = StartPorts &
  LoginUse & {
    /** Fills the references to variables and vault values in a text of an entry. */
    readonly fill: (
      text: string,
    ) => { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };
    readonly version: string;
    /** Milliseconds in which a server must be there. */
    readonly connectTimeout?: number;
  };

/** One use of a server, and the addresses that were judged for it. */
export type ServerUse = {
  readonly server: McpServer;
  readonly accepted: Pick<AcceptedServer, "revision" | "program"> | null;
  readonly addresses: readonly string[];
};

/** A server that is connected. */
export type OpenedServer = {
  readonly connection: McpConnection;
  /** What it is executed from; empty for a server of the network. */
  readonly program: readonly ProgramFile[];
  /** Begins a use: it connects to these addresses alone, and the server may send as much as at its start. */
  readonly begin: (addresses: readonly string[]) => void;
  readonly end: () => Promise<void>;
  /** Why it ended, in words; null while it is open. */
  readonly ended: () => string | null;
  /**
   * Whether a failure says that the server does not know the session of this connection any more, so that it
   * did nothing.
   */
  readonly hasLostSession: (error: unknown) => boolean;
};

type TransportOf<Kind> = Extract<McpServer["transport"], { readonly kind: Kind }>;

const usualConnectTimeout = 60_000;
/** The first revision that has no sessions. Older servers are not asked for it again. */
const firstModern = "2026-07-28";

/** Starts a server in the sandbox, or connects to it over the network. Throws a `ServerFailure` if it cannot be used. */
export async function openServer(
  use: ServerUse,
  ports: OpenPorts,
  cancel: AbortSignal,
): Promise<OpenedServer> {
  const { transport } = use.server;
  return transport.kind === "stdio"
    ? openProcess(use, transport, { ports, cancel })
    : openHttp(use, transport, { ports, cancel });
}

type Opening = { readonly ports: OpenPorts; readonly cancel: AbortSignal };

async function openProcess(
  { server, accepted }: ServerUse,
  transport: TransportOf<"stdio">,
  { ports, cancel }: Opening,
): Promise<OpenedServer> {
  const environment = new Map(
    Object.entries(transport.environment).map(([name, text]) => [name, fill(ports, text)] as const),
  );
  const args = transport.args.map((text) => fill(ports, text));
  const { name, grants } = server;
  const { command, cwd = null } = transport;
  const given = accepted === null ? null : (accepted.program ?? []);
  const start = { name, command: fill(ports, command), args, environment, cwd, grants, accepted: given };
  const prepared = await prepareStart(start, ports);
  if (!prepared.ok) throw new ServerFailure(prepared.reason);
  const started: StdioTransport[] = [];
  const end = async (): Promise<void> => {
    for (const one of started) await one.close();
    await prepared.egress?.[Symbol.asyncDispose]();
  };
  const makeTransport = (): StdioTransport => {
    const one = new StdioTransport(prepared.process);
    started.push(one);
    return one;
  };
  try {
    const connection = await connect({ ...optionsOf(server, accepted, ports), makeTransport }, cancel);
    return {
      connection,
      program: prepared.program,
      begin: () => {},
      end,
      ended: () => started.at(-1)?.ended ?? null,
      hasLostSession: () => false,
    };
  } catch (error) {
    const why = started.at(-1)?.ended ?? null;
    await end();
    throw new ServerFailure(`${describeFailure(error, name, why)}${hintOf(start)}`, { cause: error });
  }
}

async function openHttp(
  { server, accepted, addresses }: ServerUse,
  transport: TransportOf<"http">,
  { ports, cancel }: Opening,
): Promise<OpenedServer> {
  const url = new URL(fill(ports, transport.url));
  const headers = Object.entries(transport.headers).map(([name, text]) => headerOf(name, fill(ports, text)));
  const place: PinnedPlace = { origin: url.origin, addresses, streams: 0, underWay: 0 };
  const incoming = new IncomingMessages();
  const read = (text: string): string | null => {
    const said = incoming.read(text);
    return said === null ? null : JSON.stringify(said);
  };
  let latest: { ended: string | null; readonly session: () => string | undefined } | null = null;
  const connection = await connect(
    {
      ...optionsOf(server, accepted, ports),
      makeTransport: (library) => {
        const made = new library.StreamableHTTPClientTransport(url, {
          requestInit: { headers: Object.fromEntries(headers) },
          fetch: makePinnedFetch(place, read),
          onInsufficientScope: "throw",
          ...(hasKey(transport) ? {} : { authProvider: useLogin(server, url, ports) }),
        });
        watchAnswers(made, incoming);
        const state = { ended: null as string | null, session: () => made.sessionId };
        made.onclose = () => {
          state.ended = "it was ended";
        };
        latest = state;
        return made;
      },
    },
    cancel,
  );
  const end = (): Promise<void> => connection.close();
  const begin = (judged: readonly string[]): void => {
    place.addresses = judged;
    place.streams = 0;
  };
  return {
    connection,
    program: [],
    begin,
    end,
    ended: () => latest?.ended ?? incoming.problem,
    hasLostSession: (error) => statusOf(error) === 404 && latest?.session() !== undefined,
  };
}

/** Lets each request be answered at once whose stream ends without its answer. */
function watchAnswers(transport: Transport, incoming: IncomingMessages): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const messages = [message].flat();
    for (const one of messages) incoming.noteSent(one);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      for (const one of messages) {
        const answer = incoming.answerForEnded(one);
        if (answer !== null) transport.onmessage?.(answer);
      }
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}

/** Whether an entry has a key of its own. No login replaces it. */
export function hasKey({ headers }: TransportOf<"http">): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/** Checks a header. The message of a failure leaves out its value, which may be a key. */
function headerOf(name: string, text: string): readonly [string, string] {
  const value = text.trim();
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new ServerFailure(
      `its header ${JSON.stringify(name)} cannot be sent, since it holds a line break or another character that no header may. Correct its entry`,
    );
  return [name, value];
}

function optionsOf({ callTimeout }: McpServer, accepted: ServerUse["accepted"], ports: OpenPorts) {
  return {
    isLegacy: accepted !== null && accepted.revision < firstModern,
    version: ports.version,
    connectTimeout: ports.connectTimeout ?? usualConnectTimeout,
    callTimeout,
  };
}

function fill(ports: OpenPorts, text: string): string {
  const filled = ports.fill(text);
  if (!filled.ok) throw new ServerFailure(`its entry cannot be filled in: ${filled.reason}`);
  if (filled.text.includes("\0")) throw new ServerFailure("its entry holds a null character. Correct it");
  return filled.text;
}
