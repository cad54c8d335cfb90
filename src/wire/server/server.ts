import type { Socket } from "node:net";
import type { WireError } from "../channel/channel.ts";
import { acceptConnection, type ConnectionParts, type OpenConnection } from "./connection.ts";
import { type ListenAddresses, type ListenResult, listen, type Transport } from "./listen.ts";

export type ServerParts = ConnectionParts & ListenAddresses;

/** The daemon's end of the wire. */
export type WireServer = {
  /** The TCP port on 127.0.0.1; null if it does not listen there. */
  readonly port: number | null;
  /** How many clients are connected, admitted or not. */
  readonly connections: () => number;
  /** Listens again on a socket whose file is gone; see `listen`. */
  readonly mendSocket: () => Promise<string | null>;
  /** Stops listening, sends what is queued and then the error, if any, disconnects all clients, and resolves when they are gone. */
  readonly close: (error?: WireError) => Promise<void>;
};

export type OpenServerResult =
  | { readonly ok: true; readonly server: WireServer }
  | Extract<ListenResult, { readonly ok: false }>;

/** Listens for clients. Fails as a whole, with a reason, if one address cannot be used. A client never makes the caller wait. */
export async function openServer(parts: ServerParts): Promise<OpenServerResult> {
  const connections = new ConnectionSet(parts);
  const listening = await listen(parts, { report: parts.report, accept: connections.accept });
  if (!listening.ok) return listening;
  const close = (error?: WireError): Promise<void> => {
    listening.stop();
    return connections.close(error);
  };
  const { port, mendSocket } = listening;
  return { ok: true, server: { port, connections: () => connections.size, mendSocket, close } };
}

/** The open connections of a server, limited by transport. */
class ConnectionSet {
  readonly #parts: ConnectionParts;
  readonly #open = new Map<string, OpenConnection>();
  readonly #limit: Record<Transport, number>;
  readonly #count: Record<Transport, number> = { socket: 0, port: 0 };
  #accepted = 0;
  #closing = false;
  /** The calls of `close` that wait until the last connection is gone. */
  readonly #waiting: (() => void)[] = [];

  constructor(parts: ConnectionParts) {
    const { limits } = parts;
    this.#parts = parts;
    this.#limit = { socket: limits.socketConnections, port: limits.portConnections };
  }

  get size(): number {
    return this.#open.size;
  }

  readonly accept = (socket: Socket, transport: Transport): void => {
    this.#accepted += 1;
    const id = `c${this.#accepted}`;
    const isFull = this.#count[transport] >= this.#limit[transport];
    this.#count[transport] += 1;
    const gone = (): void => {
      this.#open.delete(id);
      this.#count[transport] -= 1;
      if (this.#open.size === 0) this.#resolveWaiting();
    };
    const connection = acceptConnection(this.#parts, { socket, id, gone });
    this.#open.set(id, connection);
    if (isFull) connection.close(tooMany);
    else if (this.#closing) connection.close();
  };

  /** Closes all connections, and every one that is still accepted; resolves when they are gone. */
  close(error?: WireError): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = true;
    this.#waiting.push(resolve);
    for (const connection of this.#open.values()) connection.close(error);
    if (this.#open.size === 0) this.#resolveWaiting();
    return promise;
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const tooMany: WireError = {
  code: "too-many-connections",
  text: "Too many clients are connected. Close one and connect again.",
};
