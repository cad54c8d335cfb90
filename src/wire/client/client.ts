import type { Wait } from "../../signal/clock.ts";
import { isJsonObject, type JsonObject } from "../../signal/json.ts";
import { clientCodec } from "../codec/codec.ts";
import type { WireLimits } from "../codec/limits.ts";
import { countCodePoints } from "../codec/parts.ts";
import type { ClientSource } from "../codec/protocol.ts";
import {
  type ClientConnection,
  type DaemonHello,
  type Disconnection,
  openClientConnection,
} from "./client-connection.ts";
import { type DaemonAddress, dial } from "./dial.ts";
import { makePendingMessages, type PendingMessage } from "./pending-messages.ts";

/** Whether the daemon hears us at once. While it does not, what is said is kept. */
export type ClientState = "connecting" | "ready" | "waiting" | "closed";

/** Why there is no link at the moment. `unreachable`: nobody listens; `no-secret`: ours cannot be read. */
export type DisconnectCode = Disconnection["code"] | "unreachable" | "no-secret";

/** What a client tells whoever uses it. */
export type ClientEvent =
  /** Both ends have proved themselves; what was kept is being repeated. */
  | { readonly kind: "ready"; readonly daemon: DaemonHello }
  /** There is no link; the next try is in so many milliseconds. */
  | {
      readonly kind: "waiting";
      readonly code: DisconnectCode;
      /** The code of the daemon's protocol error; empty otherwise. */
      readonly error: string;
      readonly reason: string;
      readonly milliseconds: number;
    }
  /** What was said is on the daemon's disk; `message` says so, with the turn that it began. */
  | { readonly kind: "accepted"; readonly id: string; readonly message: JsonObject }
  /** The daemon refused this message alone; it is not repeated. */
  | { readonly kind: "refused"; readonly id: string; readonly message: JsonObject; readonly reason: string }
  /** Anything else from the daemon, whole. */
  | { readonly kind: "message"; readonly message: JsonObject }
  /** The last event, with what was said and is not known to have arrived. */
  | { readonly kind: "closed"; readonly unsent: readonly PendingMessage[] };

/** What became of a message that was given to a client. */
export type SendResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly code: "closed" | "too-long"; readonly reason: string };

export type ClientParts = DaemonAddress & {
  /** Read anew for each connection. */
  readonly secret: () => Promise<Uint8Array>;
  readonly source: ClientSource;
  readonly capabilities: readonly string[];
  /** The real, absolute folder that a session starts in; null for none. */
  readonly workspace: string | null;
  readonly wait: Wait;
  readonly newId: () => string;
  readonly limits: WireLimits;
};

/** One conversation with a daemon, over as many connections as it takes. */
export type Client = {
  /** Keeps words or a command until the daemon has them on disk, and repeats them by their id after each reconnection. Without an `id` they get one. */
  readonly send: (message: JsonObject) => SendResult;
  /** Sends what needs no acceptance, such as a health check; false where there is no link, and then it is not kept. */
  readonly sendBestEffort: (message: JsonObject) => boolean;
  /** Gives what unsubscribes. */
  readonly on: (listener: (event: ClientEvent) => void) => () => void;
  readonly state: () => ClientState;
  /** Hears what still comes in answer to what was said, disconnects, and gives what is not known to have arrived. */
  readonly close: () => Promise<readonly PendingMessage[]>;
};

/** Pauses between tries, doubled from the first to the longest. Milliseconds. */
const firstPause = 50;
const longestPause = 5_000;
/** Protocol errors that are about the connection and not about a message. */
const aboutConnection: ReadonlySet<string> = new Set([
  ...["slow-reader", "too-many-connections", "wrong-proof", "proof-timeout", "frame-timeout", "state-gone"],
  ...["other-protocol", "source", "workspace"],
]);

/** Connects to a daemon and stays connected until it is closed. What was said is never lost and, since ids repeat, never doubled. */
export function openClient(parts: ClientParts): Client {
  const { wait, newId, limits } = parts;
  const listeners = new Set<(event: ClientEvent) => void>();
  const unaccepted = makePendingMessages();
  const closing = new AbortController();
  const now = { state: "connecting" as ClientState, link: null as ClientConnection | null };

  const emit = (event: ClientEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  const sendAll = (kept: readonly PendingMessage[]): void => {
    for (const { message } of kept) now.link?.send(message);
  };
  const hear = (message: JsonObject): void => {
    const accepted = acceptedId(message);
    const id = accepted ?? refusedId(message);
    if (id !== null) sendAll(unaccepted.markAccepted(id));
    emit(accepted === null ? { kind: "message", message } : { kind: "accepted", id: accepted, message });
  };
  const connect = async (): Promise<Ended> => {
    let secret: Uint8Array;
    try {
      secret = await parts.secret();
    } catch (error) {
      return {
        ...nothing,
        code: "no-secret",
        reason: error instanceof Error ? error.message : String(error),
      };
    }
    const dialled = await dial(parts, closing.signal);
    if (!dialled.ok) return { ...nothing, code: "unreachable", reason: dialled.reason };
    const { promise, resolve } = Promise.withResolvers<Ended>();
    let wasReady = false;
    const { source, capabilities, workspace } = parts;
    const listener = {
      ready: (daemon: DaemonHello): void => {
        wasReady = true;
        now.state = "ready";
        now.link = link;
        emit({ kind: "ready", daemon });
        sendAll(unaccepted.connected());
      },
      message: hear,
      ended: (end: Disconnection): void => resolve({ ...end, wasReady }),
    };
    const { socket } = dialled;
    const link = openClientConnection({
      socket,
      secret,
      source,
      capabilities,
      workspace,
      wait,
      limits,
      listener,
    });
    const leave = (): void => link.close();
    closing.signal.addEventListener("abort", leave, { once: true });
    if (closing.signal.aborted) leave();
    const ended = await promise;
    closing.signal.removeEventListener("abort", leave);
    return ended;
  };
  const judge = (ended: Ended): void => {
    now.link = null;
    const blamed = ended.wasReady && ended.code === "protocol-error" && !aboutConnection.has(ended.error);
    const culprit = unaccepted.disconnected(blamed);
    if (culprit !== null) emit({ kind: "refused", ...culprit, reason: ended.reason });
  };
  const run = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; ) {
      now.state = "connecting";
      const ended = await connect();
      judge(ended);
      if (closing.signal.aborted) return;
      failures = ended.wasReady && ended.code === "lost" ? 0 : failures + 1;
      const milliseconds = Math.min(firstPause * 2 ** failures, longestPause);
      now.state = "waiting";
      const { code, error, reason } = ended;
      emit({ kind: "waiting", code, error, reason, milliseconds });
      await wait(milliseconds, closing.signal);
    }
  };
  const running = run();

  return {
    send: (message) => {
      if (closing.signal.aborted) {
        return { ok: false, code: "closed", reason: "This client is closed: nothing more is sent." };
      }
      const id = typeof message["id"] === "string" ? message["id"] : newId();
      const named = { ...message, id };
      const length = countCodePoints(clientCodec.encode(named));
      if (length > limits.frameCodePoints) {
        const reason = `The message has ${length} characters and ${limits.frameCodePoints} can be sent. Shorten it, or name a file that holds it.`;
        return { ok: false, code: "too-long", reason };
      }
      sendAll(unaccepted.add({ id, message: named }));
      return { ok: true, id };
    },
    sendBestEffort: (message) => {
      now.link?.send(message);
      return now.link !== null;
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => now.state,
    close: async () => {
      const first = !closing.signal.aborted;
      closing.abort();
      await running;
      const unsent = unaccepted.all();
      now.state = "closed";
      if (first) emit({ kind: "closed", unsent });
      return unsent;
    },
  };
}

type Ended = {
  readonly code: DisconnectCode;
  readonly error: string;
  readonly reason: string;
  readonly wasReady: boolean;
};

const nothing = { error: "", wasReady: false };

function acceptedId({ type, payload }: JsonObject): string | null {
  if (type !== "status" || !isJsonObject(payload) || payload["action"] !== "accepted") return null;
  return typeof payload["id"] === "string" ? payload["id"] : null;
}

/** The daemon answered with a refusal in words: the message is not on its disk, and is not repeated. One that is only closing has it said again to the next. */
function refusedId({ type, id, payload }: JsonObject): string | null {
  if (type !== "response" || !isJsonObject(payload)) return null;
  const refused = payload["outcome"] === "refused" && payload["code"] !== "closing";
  return refused && typeof id === "string" ? id : null;
}
