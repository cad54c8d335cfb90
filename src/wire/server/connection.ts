import type { Socket } from "node:net";
import type { Wait } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import type { JsonObject } from "../../text/json.ts";
import { type Channel, type MessageKind, openChannel, type WireError } from "../channel/channel.ts";
import { Deadline } from "../channel/deadline.ts";
import { daemonCodec } from "../codec/codec.ts";
import type { WireLimits } from "../codec/limits.ts";
import { makeNonce } from "../codec/proof.ts";
import { wireProtocol } from "../codec/protocol.ts";
import { type AdmissionParts, admit, type ClientIdentity, isProofRequest } from "./admit.ts";
import { type ConcurrencyLimiter, makeConcurrencyLimiter } from "./concurrency-limiter.ts";

/** An admitted client as its handler knows it. Its identity is fixed by its proof or its first message. */
export type Connection = ClientIdentity & {
  readonly id: string;
  /**
   * Queues a message and returns at once; never throws for a slow or vanished reader. Chunks and stream resets reach only a client with the capability `stream`, views one with `output`.
   * `written` is called once the system has taken the whole message. It is never called for a chunk, nor if the client is gone: the message then counts as undelivered.
   */
  readonly send: (message: JsonObject, kind: MessageKind, written?: () => void) => void;
  /** Sends what is queued and then the error, if any, and disconnects. */
  readonly close: (error?: WireError) => void;
};

/** Handles what the clients of a server send. */
export type ConnectionHandler = {
  /** A client was admitted: it proved itself or, where proof is not enforced, sent its first message. It can be sent to from now on. */
  readonly hello: (connection: Connection) => void;
  /** Called in the order of the messages, without waiting for earlier promises. An exception is a fault: the client is told and disconnected. */
  readonly message: (connection: Connection, message: JsonObject) => Promise<void> | void;
  /** The client is gone. Called once for each `hello`. */
  readonly closed: (connection: Connection) => void;
};

/** The daemon's state as a health response reports it. */
export type WireHealth = {
  readonly status: "healthy" | "degraded" | "unhealthy" | "unknown";
  /** False until the health check at start has run. */
  readonly checked: boolean;
};

/** What all connections of a server share. */
export type ConnectionParts = {
  readonly secret: Uint8Array;
  /** The daemon's version. */
  readonly version: string;
  /** The daemon's capabilities, in lower case. */
  readonly capabilities: readonly string[];
  /** Whether clients must prove themselves. If not, an unproved client may converse. */
  readonly enforceProof: boolean;
  /** Answers at once, however busy the daemon is. */
  readonly health: () => WireHealth | Promise<WireHealth>;
  readonly handler: ConnectionHandler;
  readonly wait: Wait;
  readonly limits: WireLimits;
  /** Logs a fault. */
  readonly report: (text: string) => void;
};

/** A socket that was just accepted. `gone` is called once it is closed. */
export type AcceptedSocket = {
  readonly socket: Socket;
  readonly id: string;
  readonly gone: () => void;
};

/** A connection as its server holds it. */
export type OpenConnection = { readonly close: (error?: WireError) => void };

/** Greets a client and admits it as `WIRE.md` says: health checks always; everything else after its proof, or after its first message where proof is not enforced. */
export function acceptConnection(parts: ConnectionParts, accepted: AcceptedSocket): OpenConnection {
  return new ServerConnection(parts, accepted);
}

class ServerConnection implements OpenConnection {
  readonly #parts: ConnectionParts;
  readonly #id: string;
  readonly #gone: () => void;
  readonly #admission: AdmissionParts;
  readonly #channel: Channel;
  readonly #limiter: ConcurrencyLimiter;
  /** Runs until the client has proved itself or asked for health. */
  readonly #proofDeadline: Deadline;
  /** Runs while the last messages of a client that left are being handled. */
  readonly #lingerDeadline: Deadline;
  /** Null until the client is admitted. */
  #connection: Connection | null = null;
  #leaving = false;

  constructor(parts: ConnectionParts, { socket, id, gone }: AcceptedSocket) {
    const { secret, enforceProof, limits, wait } = parts;
    this.#parts = parts;
    this.#id = id;
    this.#gone = gone;
    this.#admission = { secret, nonce: makeNonce(), enforceProof };
    this.#proofDeadline = new Deadline(wait, limits.proofMilliseconds, () => this.close(lateProof));
    this.#lingerDeadline = new Deadline(wait, limits.lingerMilliseconds, () => this.close());
    this.#channel = openChannel({
      socket,
      codec: daemonCodec,
      limits,
      wait,
      listener: {
        message: (message) => this.#receive(message),
        broken: this.close,
        failed: (error) => this.#fail(error),
        ended: () => this.#leave(),
        closed: () => this.#forget(),
      },
    });
    this.#limiter = makeConcurrencyLimiter({
      atOnce: limits.concurrentMessages,
      pause: this.#channel.pause,
      resume: this.#channel.resume,
      failed: (error) => this.#fail(error),
      emptied: () => this.#leaving && this.close(),
    });
    this.#greet();
  }

  readonly close = (error?: WireError): void => {
    this.#cancelDeadlines();
    if (error !== undefined) this.#send({ type: "protocol-error", payload: { ...error } });
    this.#channel.end(false);
  };

  #greet(): void {
    const { version, capabilities, enforceProof } = this.#parts;
    const { nonce } = this.#admission;
    this.#send({
      type: "event",
      payload: { action: "handshake", version, protocol: wireProtocol, capabilities, nonce },
    });
    if (enforceProof) this.#proofDeadline.start();
  }

  #receive(message: JsonObject): void {
    const connection = this.#connection;
    if (message["type"] === "health-check") {
      this.#cancelDeadlines();
      void readHealth(this.#parts).then(({ status, checked }) =>
        this.#send({ type: "health-response", status, "checked-p": checked }),
      );
    } else if (connection === null) this.#admit(message);
    else if (isProofRequest(message)) this.close(provedTwice);
    else this.#handle(connection, message);
  }

  #admit(message: JsonObject): void {
    const admission = admit(message, this.#admission);
    if (!admission.ok) {
      this.close(admission.error);
      return;
    }
    this.#cancelDeadlines();
    const { identity, proof } = admission;
    if (proof !== null) {
      this.#channel.setFrameLimit(this.#parts.limits.frameCodePoints);
      this.#send({ type: "response", payload: { action: "authenticated", mac: proof } });
    }
    const send = sendTo(this.#channel, identity);
    const connection = { ...identity, id: this.#id, send, close: this.close };
    this.#connection = connection;
    this.#parts.handler.hello(connection);
    if (proof === null) this.#handle(connection, message);
  }

  #handle(connection: Connection, message: JsonObject): void {
    this.#limiter.run(() => this.#parts.handler.message(connection, message));
  }

  #fail(error: unknown): void {
    this.#parts.report(
      `Client ${this.#id} is disconnected because handling its message failed: ${describeError(error)}`,
    );
    this.close(fault);
  }

  /** The client sends no more: what it sent is handled first, within the time to linger. */
  #leave(): void {
    this.#leaving = true;
    if (this.#limiter.isIdle()) this.close();
    else this.#lingerDeadline.start();
  }

  #forget(): void {
    this.#cancelDeadlines();
    try {
      if (this.#connection !== null) this.#parts.handler.closed(this.#connection);
    } catch (error) {
      this.#fail(error);
    }
    this.#gone();
  }

  #cancelDeadlines(): void {
    this.#proofDeadline.cancel();
    this.#lingerDeadline.cancel();
  }

  #send(message: JsonObject): void {
    this.#channel.send(message, "other");
  }
}

const fault: WireError = {
  code: "fault",
  text: "The daemon failed while handling this message and may not have accepted it. Connect again and send it again; the daemon's log has the details.",
};
const lateProof: WireError = {
  code: "proof-timeout",
  text: "The client neither proved itself nor asked for health in time. Connect again and send :AUTHENTICATE first.",
};
const provedTwice: WireError = {
  code: "late-proof",
  text: "A client proves itself once, with its first message. Connect again to prove yourself.",
};

/** If the health check throws, nothing is known. */
async function readHealth({ health, report }: ConnectionParts): Promise<WireHealth> {
  try {
    return await health();
  } catch (error) {
    report(`The daemon's health cannot be determined: ${describeError(error)}`);
    return { status: "unknown", checked: false };
  }
}

function sendTo(channel: Channel, { capabilities }: ClientIdentity): Connection["send"] {
  const streams = capabilities.includes("stream");
  const views = capabilities.includes("output");
  return (message, kind, written) => {
    if ((kind === "chunk" || message["type"] === "stream-reset") && !streams) return;
    if (kind === "view" && !views) return;
    channel.send(message, kind, written);
  };
}
