import type { WireError } from "../channel/channel.ts";
import { acceptConnection, type ConnectionParts, type OpenConnection } from "./connection.ts";
import { type ListenAddresses, type ListenResult, listen, type Transport } from "./listen.ts";

export type ServerParts = ConnectionParts & ListenAddresses;

/** The daemon's end of the wire. */
export type WireServer = {
  /** The TCP port on 127.0.0.1; null where it does not listen there. */
  readonly port: number | null;
  /** How many clients are connected, those included that only greeted. */
  readonly connections: () => number;
  /** Lets nobody in any more, sends what waits, and the error where there is one, disconnects all and resolves when they are gone. */
  readonly close: (error?: WireError) => Promise<void>;
};

export type OpenServerResult =
  | { readonly ok: true; readonly server: WireServer }
  | Extract<ListenResult, { readonly ok: false }>;

/** Listens for clients. What cannot be listened on is refused in words, and then nothing is open. No client ever makes the caller wait. */
export async function openServer(parts: ServerParts): Promise<OpenServerResult> {
  const { limits, report } = parts;
  const connected = new Map<string, OpenConnection>();
  const count: Record<Transport, number> = { socket: 0, port: 0 };
  const most: Record<Transport, number> = { socket: limits.socketConnections, port: limits.portConnections };
  const closing = { count: 0, done: null as (() => void) | null };

  const listening = await listen(parts, {
    report,
    accept: (socket, way) => {
      closing.count += 1;
      const id = `c${closing.count}`;
      const crowded = count[way] >= most[way];
      count[way] += 1;
      const accepted = acceptConnection(parts, socket, id, () => {
        connected.delete(id);
        count[way] -= 1;
        if (connected.size === 0) closing.done?.();
      });
      connected.set(id, accepted);
      if (crowded) accepted.close(tooMany);
      else if (closing.done !== null) accepted.close();
    },
  });
  if (!listening.ok) return listening;
  const close = async (error?: WireError): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = closing.done;
    closing.done = () => {
      before?.();
      resolve();
    };
    listening.stop();
    for (const accepted of connected.values()) accepted.close(error);
    if (connected.size === 0) closing.done();
    return promise;
  };
  return { ok: true, server: { port: listening.port, connections: () => connected.size, close } };
}

const tooMany = {
  code: "too-many-connections",
  text: "This daemon has as many clients as it takes. Close one and connect again.",
};
