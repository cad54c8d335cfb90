import type { JsonObject } from "../../signal/json.ts";

/** A message by the id that it is repeated with. */
export type PendingMessage = { readonly id: string; readonly message: JsonObject };

/** What was said and is not known to be on the daemon's disk, in the order in which it was said. */
export type PendingMessages = {
  /** Keeps a message and gives what to send now. The same id again is the same message. */
  readonly add: (kept: PendingMessage) => readonly PendingMessage[];
  /** The daemon has it; gives what to send next. */
  readonly markAccepted: (id: string) => readonly PendingMessage[];
  /** A link is ready: gives what to send on it. */
  readonly connected: () => readonly PendingMessage[];
  /** A link is gone. `blamed`: by a protocol error that a message may have caused; gives the message that it was, once that is certain. */
  readonly disconnected: (blamed: boolean) => PendingMessage | null;
  readonly all: () => readonly PendingMessage[];
};

/**
 * Keeps words until they are accepted. After an error that one of several may have caused, they are repeated one at a time:
 * what fails alone is the culprit and is given up, so that one bad message never holds up the others.
 */
export function makePendingMessages(): PendingMessages {
  const kept = new Map<string, PendingMessage>();
  const now = { linked: false, careful: false };
  const first = (): readonly PendingMessage[] => [...kept.values().take(1)];
  return {
    add: (one) => {
      if (kept.has(one.id)) return [];
      kept.set(one.id, one);
      return now.linked && (!now.careful || kept.size === 1) ? [one] : [];
    },
    markAccepted: (id) => {
      if (!kept.delete(id) || !now.careful) return [];
      return first();
    },
    connected: () => {
      now.linked = true;
      return now.careful ? first() : [...kept.values()];
    },
    disconnected: (blamed) => {
      const [suspect] = first();
      const certain = blamed && now.careful && now.linked && suspect !== undefined;
      now.linked = false;
      if (blamed && suspect !== undefined) now.careful = true;
      if (kept.size === 0 || (certain && kept.size === 1)) now.careful = false;
      if (!certain || suspect === undefined) return null;
      kept.delete(suspect.id);
      return suspect;
    },
    all: () => [...kept.values()],
  };
}
