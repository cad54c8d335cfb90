import { sha256 } from "../../machine/digest.ts";
import type { AcceptedServer, McpServer, ProgramFile, ToolList } from "../../signal/mcp-server.ts";
import { canonicalJson } from "../../text/json.ts";
import { addressesOfHost, type ResolveHost } from "../web/send-request.ts";
import type { CallReply, ServerCall } from "./connect.ts";
import { type OpenedServer, type OpenPorts, openServer, type ServerUse } from "./open-server.ts";
import { describeFailure, ServerFailure } from "./server-failure.ts";
import type { ServedSkill } from "./server-skills.ts";

/** What a pool of connections needs. */
export type PoolPorts = OpenPorts & {
  /** Milliseconds after its last call at which a server is ended. */
  readonly idleTime?: number;
};

const usualIdleTime = 300_000;

/** A connection that is being made or is there, and how many use it now. */
type Slot = {
  readonly key: string;
  readonly opening: Promise<OpenedServer>;
  opened: OpenedServer | null;
  users: number;
  idle: NodeJS.Timeout | null;
};

/** Open connections to servers, one for each entry. A server is started when it is first used, and ended when it fails, is late, or is not used any more. */
export class ServerPool implements AsyncDisposable {
  readonly #ports: PoolPorts;
  readonly #slots = new Map<string, Slot>();

  constructor(ports: PoolPorts) {
    this.#ports = ports;
  }

  /**
   * The tools that a server offers now, the revision that was agreed upon, and what it is executed from.
   * Throws a `ServerFailure`.
   */
  async list(
    use: ServerUse,
    cancel: AbortSignal,
  ): Promise<Pick<AcceptedServer, "list" | "revision"> & { readonly program: readonly ProgramFile[] }> {
    return this.#use(use, cancel, async ({ connection, program }) => ({
      list: await connection.list(cancel),
      revision: connection.revision,
      program,
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
    await Promise.all([...this.#slots.values()].map((slot) => this.#drop(slot)));
  }

  /**
   * Any failure ends the connection, so that a late answer cannot be taken for the answer to another call.
   * Where the server forgot the session, the same is asked once more in a new one.
   */
  async #use<T>(
    use: ServerUse,
    cancel: AbortSignal,
    act: (opened: OpenedServer) => Promise<T>,
    isRepeated = false,
  ): Promise<T> {
    const slot = this.#slotOf(use, cancel);
    if (slot.idle !== null) clearTimeout(slot.idle);
    slot.users += 1;
    try {
      const opened = await slot.opening;
      opened.begin(use.addresses);
      return await act(opened);
    } catch (error) {
      const { opened } = slot;
      const ended = opened?.ended() ?? null;
      const isLost = !isRepeated && opened?.hasLostSession(error) === true;
      await this.#drop(slot);
      if (!isLost) throw new ServerFailure(describeFailure(error, use.server.name, ended), { cause: error });
    } finally {
      slot.users -= 1;
      if (slot.users === 0) this.#waitIdle(slot);
    }
    return this.#use(use, cancel, act, true);
  }

  /** The connection of an entry: calls that begin at once share it from the start. */
  #slotOf(use: ServerUse, cancel: AbortSignal): Slot {
    const key = `${keyOf(use.server)} ${entryDigest(use.server)}`;
    const known = this.#slots.get(key);
    if (known !== undefined && (known.opened?.ended() ?? null) === null) return known;
    const opening = openServer(use, this.#ports, cancel);
    const slot: Slot = { key, opening, opened: null, users: 0, idle: null };
    opening.then(
      (opened) => {
        slot.opened = opened;
      },
      () => undefined,
    );
    this.#slots.set(key, slot);
    return slot;
  }

  #waitIdle(slot: Slot): void {
    const { idleTime = usualIdleTime } = this.#ports;
    if (this.#slots.get(slot.key) === slot)
      slot.idle = setTimeout(() => void this.#drop(slot), idleTime).unref();
  }

  async #drop(slot: Slot): Promise<void> {
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
    if (slot.idle !== null) clearTimeout(slot.idle);
    const opened = await slot.opening.catch(() => null);
    await opened?.end();
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
export function placeOf({ transport }: McpServer): {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly scheme: string;
} | null {
  const url = transport.kind === "http" ? URL.parse(transport.url.replaceAll(/\$\{[^}]*\}/g, "x")) : null;
  if (url === null) return null;
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return { url, host, scheme, port: url.port === "" ? (scheme === "https" ? 443 : 80) : Number(url.port) };
}

/** The addresses of a server of the network; none for a server on this machine. Throws a `ServerFailure` if its host cannot be found. */
export async function addressesOf(server: McpServer, resolveHost: ResolveHost): Promise<readonly string[]> {
  const place = placeOf(server);
  if (place === null) return [];
  try {
    return [...new Set(await addressesOfHost(place.url, resolveHost))].sort();
  } catch (error) {
    throw new ServerFailure(describeFailure(error, server.name), { cause: error });
  }
}
