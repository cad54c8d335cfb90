import type { JsonObject } from "../../text/json.ts";

/** A message with the id that every repetition of it has. */
export type PendingMessage = { readonly id: string; readonly message: JsonObject };

/** Messages that may not be on the daemon's disk yet, in the order of sending. */
export type PendingMessages = {
  /** Keeps a message and gives the messages to send now. The same id again is the same message. */
  readonly add: (kept: PendingMessage) => readonly PendingMessage[];
  /** The daemon has the message; gives the messages to send next. */
  readonly markAccepted: (id: string) => readonly PendingMessage[];
  /** A connection is ready; gives the messages to send on it. */
  readonly connected: () => readonly PendingMessage[];
  /** The connection has ended. `blamed`: because of a protocol error that a message may have caused. Gives that message once it is certain, and forgets it. */
  readonly disconnected: (blamed: boolean) => PendingMessage | null;
  readonly all: () => readonly PendingMessage[];
};

/**
 * Keeps messages until they are accepted. After an error that one of several messages may have caused, they are sent one at a time:
 * a message that fails alone is the cause and is dropped, so that one bad message never blocks the others.
 */
export function makePendingMessages(): PendingMessages {
  const kept = new Map<string, PendingMessage>();
  const now = { isConnected: false, oneAtATime: false };
  const first = (): readonly PendingMessage[] => [...kept.values().take(1)];
  return {
    add: (message) => {
      if (kept.has(message.id)) return [];
      kept.set(message.id, message);
      return now.isConnected && (!now.oneAtATime || kept.size === 1) ? [message] : [];
    },
    markAccepted: (id) => {
      if (!kept.delete(id) || !now.oneAtATime) return [];
      return first();
    },
    connected: () => {
      now.isConnected = true;
      return now.oneAtATime ? first() : [...kept.values()];
    },
    disconnected: (blamed) => {
      const [suspect] = first();
      const certain = blamed && now.oneAtATime && now.isConnected && suspect !== undefined;
      now.isConnected = false;
      if (blamed && suspect !== undefined) now.oneAtATime = true;
      if (kept.size === 0 || (certain && kept.size === 1)) now.oneAtATime = false;
      if (!certain || suspect === undefined) return null;
      kept.delete(suspect.id);
      return suspect;
    },
    all: () => [...kept.values()],
  };
}
