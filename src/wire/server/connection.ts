import type { Socket } from "node:net";
import type { Wait } from "../../signal/clock.ts";
import type { JsonObject } from "../../signal/json.ts";
import { type Channel, openChannel, type WireError } from "../channel/channel.ts";
import { startDeadline } from "../channel/deadline.ts";
import { daemonCodec } from "../codec/codec.ts";
import type { WireLimits } from "../codec/limits.ts";
import { makeNonce } from "../codec/proof.ts";
import { wireProtocol } from "../codec/protocol.ts";
import { admit, type ClientIdentity, isProofRequest } from "./admit.ts";
import { makeConcurrencyLimiter } from "./concurrency-limiter.ts";

/** A client as its handler knows it, fixed by its proof or its first message. */
export type Connection = ClientIdentity & {
  readonly id: string;
  /**
   * Never waits and never throws for a slow or vanished reader. Chunks and withdrawals of streams reach only a client with the capability `stream`.
   * `written` is called once the system took all of a message that is no chunk, and never where the client was gone before: so far it is not delivered.
   */
  readonly send: (message: JsonObject, kind: "chunk" | "other", written?: () => void) => void;
  /** Sends what waits, then the error where there is one, and disconnects. */
  readonly close: (error?: WireError) => void;
};

/** Who handles what the clients of a server send. */
export type ConnectionHandler = {
  /** A client has proved itself or, where that is not enforced, is about to say its first message. From now on it may be sent to. */
  readonly hello: (connection: Connection) => void;
  /** Called in the order of the messages, without waiting for the promise before. What it throws is a fault: the client is told and disconnected. */
  readonly message: (connection: Connection, message: JsonObject) => Promise<void> | void;
  /** Once for each hello. */
  readonly closed: (connection: Connection) => void;
};

/** The state of the daemon as a health response tells it. */
export type WireHealth = {
  readonly status: "healthy" | "degraded" | "unhealthy" | "unknown";
  /** False until the health check of the start has run. */
  readonly checked: boolean;
};

/** What every connection of a server shares. */
export type ConnectionParts = {
  readonly secret: Uint8Array;
  /** The daemon's own. */
  readonly version: string;
  /** In lower case; only those that exist. */
  readonly capabilities: readonly string[];
  /** Whether a client that does not prove itself is turned away; without it, it may converse. */
  readonly enforceProof: boolean;
  /** Answers at once, whatever else is busy. */
  readonly health: () => WireHealth;
  readonly handler: ConnectionHandler;
  readonly wait: Wait;
  readonly limits: WireLimits;
  /** Tells of a fault. */
  readonly report: (text: string) => void;
};

/** A connection as its server holds it. */
export type OpenConnection = { readonly close: (error?: WireError) => void };

/** Greets a client and lets in what `WIRE.md` allows: health always, all else after its proof, or after its first message where proof is not enforced. */
export function acceptConnection(
  parts: ConnectionParts,
  socket: Socket,
  id: string,
  gone: () => void,
): OpenConnection {
  const { handler, limits, wait, version, capabilities } = parts;
  const door = { secret: parts.secret, nonce: makeNonce(), enforceProof: parts.enforceProof };
  const now = { connection: null as Connection | null, leaving: false, callOff: (): void => {} };

  const close = (error?: WireError): void => {
    now.callOff();
    if (error !== undefined) channel.send({ type: "protocol-error", payload: { ...error } }, "other");
    channel.end(false);
  };
  const fail = (error: unknown): void => {
    parts.report(
      `The client ${id} is disconnected, since its message could not be handled: ${String(error)}`,
    );
    close(fault);
  };
  const letIn = (message: JsonObject): void => {
    const admission = admit(message, door);
    if (!admission.ok) {
      close(admission.error);
      return;
    }
    now.callOff();
    const { introduction, proof } = admission;
    if (proof !== null) {
      channel.setFrameLimit(limits.frameCodePoints);
      channel.send({ type: "response", payload: { action: "authenticated", mac: proof } }, "other");
    }
    const connection = { ...introduction, id, send: sendTo(channel, introduction), close };
    now.connection = connection;
    handler.hello(connection);
    if (proof === null) handling.run(() => handler.message(connection, message));
  };
  const hear = (message: JsonObject): void => {
    const { connection } = now;
    if (message["type"] === "health-check") {
      now.callOff();
      const { status, checked } = askHealth(parts);
      channel.send({ type: "health-response", status, "checked-p": checked }, "other");
    } else if (connection === null) letIn(message);
    else if (isProofRequest(message)) close(provedTwice);
    else handling.run(() => handler.message(connection, message));
  };
  const leave = (): void => {
    now.leaving = true;
    if (handling.isIdle()) close();
    else now.callOff = startDeadline(wait, limits.lingerMilliseconds, () => close());
  };
  const forget = (): void => {
    now.callOff();
    try {
      if (now.connection !== null) handler.closed(now.connection);
    } catch (error) {
      fail(error);
    }
    gone();
  };

  const listener = { message: hear, broken: close, failed: fail, ended: leave, closed: forget };
  const channel = openChannel({ socket, codec: daemonCodec, limits, wait, listener });
  const handling = makeConcurrencyLimiter({
    atOnce: limits.concurrentMessages,
    pause: channel.pause,
    resume: channel.resume,
    failed: fail,
    emptied: () => now.leaving && close(),
  });
  const handshake = { action: "handshake", version, protocol: wireProtocol, capabilities, nonce: door.nonce };
  channel.send({ type: "event", payload: handshake }, "other");
  if (parts.enforceProof) {
    now.callOff = startDeadline(wait, limits.proofMilliseconds, () => close(lateProof));
  }
  return { close };
}

const fault: WireError = {
  code: "fault",
  text: "The daemon failed on this message and may not have taken it. Connect and send it again; its log says more.",
};
const lateProof: WireError = {
  code: "proof-timeout",
  text: "The client neither proved itself nor asked for health in time.",
};
const provedTwice: WireError = {
  code: "late-proof",
  text: "A proof comes once, as the first message. Connect again to prove yourself.",
};

/** A health check that fails tells that nothing is known. */
function askHealth({ health, report }: ConnectionParts): WireHealth {
  try {
    return health();
  } catch (error) {
    report(`The daemon's health cannot be told: ${String(error)}`);
    return { status: "unknown", checked: false };
  }
}

function sendTo(channel: Channel, { capabilities }: ClientIdentity): Connection["send"] {
  const streams = capabilities.includes("stream");
  return (message, kind, written) => {
    if ((kind === "chunk" || message["type"] === "stream-reset") && !streams) return;
    channel.send(message, kind, written);
  };
}
