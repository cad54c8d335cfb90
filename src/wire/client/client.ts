import type { Wait } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
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

/** `ready`: messages reach the daemon at once. In every other state but `closed` they are kept. */
export type ClientState = "connecting" | "ready" | "waiting" | "closed";

/** Why there is no connection. `unreachable`: no daemon listens; `no-secret`: the secret cannot be read. */
export type DisconnectCode = Disconnection["code"] | "unreachable" | "no-secret";

/** What a client reports to its user. */
export type ClientEvent =
  /** Both ends have proved themselves; the kept messages are being sent again. */
  | { readonly kind: "ready"; readonly daemon: DaemonHello }
  /** There is no connection; the next attempt is in this many milliseconds. */
  | {
      readonly kind: "waiting";
      readonly code: DisconnectCode;
      /** The code of the daemon's protocol error; empty otherwise. */
      readonly error: string;
      readonly reason: string;
      readonly milliseconds: number;
    }
  /** The message with this id is on the daemon's disk. `message` is the daemon's confirmation, with the turn that it started. */
  | { readonly kind: "accepted"; readonly id: string; readonly message: JsonObject }
  /** The daemon refused this message alone; it is not sent again. */
  | { readonly kind: "refused"; readonly id: string; readonly message: JsonObject; readonly reason: string }
  /** Any other message from the daemon, with its parts joined. */
  | { readonly kind: "message"; readonly message: JsonObject }
  /** The last event, with the messages that may not have arrived. */
  | { readonly kind: "closed"; readonly unsent: readonly PendingMessage[] };

/** Whether a message was taken for sending. */
export type SendResult =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly code: "closed" | "too-long" | "unsendable"; readonly reason: string };

export type ClientParts = DaemonAddress & {
  /** Read again for each connection. */
  readonly secret: () => Promise<Uint8Array>;
  readonly source: ClientSource;
  readonly capabilities: readonly string[];
  /** The real, absolute folder that a session starts in; null for none. */
  readonly workspace: string | null;
  readonly wait: Wait;
  readonly newId: () => string;
  readonly limits: WireLimits;
};

/** One conversation with a daemon, over as many connections as needed. */
export type Client = {
  /** Keeps a message until the daemon has it on disk, and sends it again with the same id after each reconnection. A message without `id` gets one. */
  readonly send: (message: JsonObject) => SendResult;
  /** Sends a message that needs no confirmation, such as a health check. False if there is no connection: the message is then dropped. */
  readonly sendBestEffort: (message: JsonObject) => boolean;
  /** Subscribes; the result unsubscribes. */
  readonly on: (listener: (event: ClientEvent) => void) => () => void;
  readonly state: () => ClientState;
  /** Receives the answers that are still on their way, disconnects, and gives the messages that may not have arrived. */
  readonly close: () => Promise<readonly PendingMessage[]>;
};

/** Connects to a daemon and stays connected until it is closed. No message is lost and, because ids repeat, none is handled twice. */
export function openClient(parts: ClientParts): Client {
  return new ReconnectingClient(parts);
}

/** Pauses between attempts to connect; doubled from the first to the longest. Milliseconds. */
const firstPause = 50;
const longestPause = 5_000;
/** Protocol errors that concern the connection and no single message. */
const connectionErrors: ReadonlySet<string> = new Set([
  "slow-reader",
  "too-many-connections",
  "wrong-proof",
  "proof-timeout",
  "frame-timeout",
  "state-gone",
  "other-protocol",
  "source",
  "workspace",
]);

class ReconnectingClient implements Client {
  readonly #parts: ClientParts;
  readonly #listeners = new Set<(event: ClientEvent) => void>();
  readonly #pending = makePendingMessages();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #state: ClientState = "connecting";
  /** Null while there is no connection on which both ends have proved themselves. */
  #connection: ClientConnection | null = null;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  readonly send = (message: JsonObject): SendResult => {
    if (this.#closing.signal.aborted) {
      return { ok: false, code: "closed", reason: "This client is closed: nothing more is sent." };
    }
    const { limits, newId } = this.#parts;
    const id = typeof message["id"] === "string" ? message["id"] : newId();
    const withId = { ...message, id };
    const length = lengthOnTheWire(withId);
    if (typeof length === "string") return { ok: false, code: "unsendable", reason: length };
    if (length > limits.frameCodePoints) {
      const reason = `The message has ${length} characters; at most ${limits.frameCodePoints} can be sent. Shorten it, or name a file that holds the text.`;
      return { ok: false, code: "too-long", reason };
    }
    this.#sendAll(this.#pending.add({ id, message: withId }));
    return { ok: true, id };
  };

  readonly sendBestEffort = (message: JsonObject): boolean => {
    this.#connection?.send(message);
    return this.#connection !== null;
  };

  readonly on = (listener: (event: ClientEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ClientState => this.#state;

  readonly close = async (): Promise<readonly PendingMessage[]> => {
    const isFirst = !this.#closing.signal.aborted;
    this.#closing.abort();
    await this.#running;
    const unsent = this.#pending.all();
    this.#state = "closed";
    if (isFirst) this.#emit({ kind: "closed", unsent });
    return unsent;
  };

  /** Connects again and again, with growing pauses, until the client is closed. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; ) {
      this.#state = "connecting";
      const end = await this.#connect();
      this.#handleEnd(end);
      if (signal.aborted) return;
      failures = end.wasReady && end.code === "lost" ? 0 : failures + 1;
      const milliseconds = Math.min(firstPause * 2 ** failures, longestPause);
      this.#state = "waiting";
      const { code, error, reason } = end;
      this.#emit({ kind: "waiting", code, error, reason, milliseconds });
      await this.#parts.wait(milliseconds, signal);
    }
  }

  /** Opens one connection and resolves when it has ended. */
  async #connect(): Promise<ConnectionEnd> {
    let secret: Uint8Array;
    try {
      secret = await this.#parts.secret();
    } catch (error) {
      return neverConnected("no-secret", error instanceof Error ? error.message : String(error));
    }
    const { signal } = this.#closing;
    const dialled = await dial(this.#parts, signal);
    if (!dialled.ok) return neverConnected("unreachable", dialled.reason);
    const { promise, resolve } = Promise.withResolvers<ConnectionEnd>();
    const { source, capabilities, workspace, wait, limits } = this.#parts;
    let wasReady = false;
    const listener = {
      ready: (daemon: DaemonHello): void => {
        wasReady = true;
        this.#startSending(connection, daemon);
      },
      message: (message: JsonObject): void => this.#receive(message),
      ended: (end: Disconnection): void => resolve({ ...end, wasReady }),
    };
    const { socket } = dialled;
    const connection = openClientConnection({
      socket,
      secret,
      source,
      capabilities,
      workspace,
      wait,
      limits,
      listener,
    });
    signal.addEventListener("abort", connection.close, { once: true });
    if (signal.aborted) connection.close();
    const end = await promise;
    signal.removeEventListener("abort", connection.close);
    return end;
  }

  #startSending(connection: ClientConnection, daemon: DaemonHello): void {
    this.#state = "ready";
    this.#connection = connection;
    this.#emit({ kind: "ready", daemon });
    this.#sendAll(this.#pending.connected());
  }

  #receive(message: JsonObject): void {
    const accepted = acceptedId(message);
    const settled = accepted ?? refusedId(message);
    if (settled !== null) this.#sendAll(this.#pending.markAccepted(settled));
    this.#emit(
      accepted === null ? { kind: "message", message } : { kind: "accepted", id: accepted, message },
    );
  }

  /** Finds out whether a message of ours caused the end, and gives up that message. */
  #handleEnd(end: ConnectionEnd): void {
    this.#connection = null;
    const blamesMessage = end.wasReady && end.code === "protocol-error" && !connectionErrors.has(end.error);
    const culprit = this.#pending.disconnected(blamesMessage);
    if (culprit !== null) this.#emit({ kind: "refused", ...culprit, reason: end.reason });
  }

  #sendAll(messages: readonly PendingMessage[]): void {
    for (const { message } of messages) this.#connection?.send(message);
  }

  #emit(event: ClientEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
}

/**
 * In code points. Words for a message that has no form on the wire: a fault of this program, and no reason
 * to end a conversation.
 */
function lengthOnTheWire(message: JsonObject): number | string {
  try {
    return countCodePoints(clientCodec.encode(message));
  } catch (error) {
    return `It was not sent, by a fault of Passepartout. Please report it: ${describeError(error)}`;
  }
}

/** How one connection, or the attempt to make it, ended. */
type ConnectionEnd = {
  readonly code: DisconnectCode;
  readonly error: string;
  readonly reason: string;
  readonly wasReady: boolean;
};

function neverConnected(code: DisconnectCode, reason: string): ConnectionEnd {
  return { code, error: "", reason, wasReady: false };
}

function acceptedId({ type, payload }: JsonObject): string | null {
  if (type !== "status" || !isJsonObject(payload) || payload["action"] !== "accepted") return null;
  return typeof payload["id"] === "string" ? payload["id"] : null;
}

/** The id of a message that the daemon refused: it is not on the daemon's disk and is not sent again. A refusal because the daemon is closing does not count. */
function refusedId({ type, id, payload }: JsonObject): string | null {
  if (type !== "response" || !isJsonObject(payload)) return null;
  const isRefused = payload["outcome"] === "refused" && payload["code"] !== "closing";
  return isRefused && typeof id === "string" ? id : null;
}
