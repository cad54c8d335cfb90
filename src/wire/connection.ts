import type { Socket } from "node:net";
import { isJsonObject, type JsonObject } from "../signal/json.ts";
import { type Channel, openChannel, type WireError } from "./channel.ts";
import { daemonCodec } from "./codec.ts";
import { startDeadline, type Wait } from "./deadline.ts";
import { type ClientSource, readHello } from "./hello.ts";
import type { Limits } from "./limits.ts";
import { checkProof, makeNonce, proofOf } from "./proof.ts";
import { wireProtocol } from "./protocol.ts";

/** What the daemon knows of a client, fixed by its proof or its first message. */
export type Connection = {
  readonly id: string;
  readonly proved: boolean;
  readonly source: ClientSource;
  /** In lower case, as the client named them. */
  readonly capabilities: readonly string[];
  /** An absolute path, from a proof only; the real folder is still to be looked up. */
  readonly workspace: string | null;
  /** Never waits and never throws for a slow or vanished reader. Chunks and withdrawals of streams reach only a client with the capability `stream`. */
  readonly send: (message: JsonObject, kind: "chunk" | "other") => void;
  /** Sends what waits, then the error where there is one, and disconnects. */
  readonly close: (error?: WireError) => void;
};

/** Who handles what the clients of a server send. */
export type Handler = {
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
  readonly handler: Handler;
  readonly wait: Wait;
  readonly limits: Limits;
  /** Tells of a fault. */
  readonly report: (text: string) => void;
};

/** A connection as its server holds it. */
export type Accepted = { readonly close: (error?: WireError) => void };

/** Greets a client and lets in what `WIRE.md` allows: health always, all else after its proof, or after its first message where proof is not enforced. */
export function acceptConnection(
  parts: ConnectionParts,
  socket: Socket,
  id: string,
  gone: () => void,
): Accepted {
  const { handler, limits, wait, report } = parts;
  const nonce = makeNonce();
  const now = { connection: null as Connection | null, handled: 0, leaving: false };
  let callOff = (): void => {};

  const close = (error?: WireError): void => {
    callOff();
    if (error !== undefined) channel.send({ type: "protocol-error", payload: { ...error } }, "other");
    channel.end(false);
  };
  const fail = (doing: string, error: unknown): void => {
    report(`The client ${id} is disconnected: ${doing} failed: ${String(error)}`);
    close({
      code: "fault",
      text: "The daemon failed on this message and may not have taken it. Connect and send it again; its log says more.",
    });
  };
  const attempt = (doing: string, act: () => void): void => {
    try {
      act();
    } catch (error) {
      fail(doing, error);
    }
  };
  const handle = async (connection: Connection, message: JsonObject): Promise<void> => {
    now.handled += 1;
    if (now.handled === limits.handledAtOnce) channel.pause();
    try {
      await handler.message(connection, message);
    } catch (error) {
      fail("handling its message", error);
    } finally {
      if (now.handled === limits.handledAtOnce) channel.resume();
      now.handled -= 1;
      if (now.leaving && now.handled === 0) close();
    }
  };
  const greet = (connection: Connection): void => {
    callOff();
    now.connection = connection;
    attempt("greeting it", () => handler.hello(connection));
  };
  const establish = (message: JsonObject): Connection | null => {
    const hello = readHello(message, wireProtocol);
    if (!hello.ok) close(hello.error);
    else if (hello.proof !== null) {
      const { clientNonce, mac } = hello.proof;
      const { secret } = parts;
      if (checkProof({ secret, who: "client", serverNonce: nonce, clientNonce, mac })) {
        channel.limit(limits.codePointsAfter);
        const proof = proofOf(secret, "server", nonce, clientNonce);
        channel.send({ type: "response", payload: { action: "authenticated", mac: proof } }, "other");
        greet(makeConnection({ id, proved: true, channel, close, ...hello }));
      } else close(wrongProof);
    } else if (parts.enforceProof) close(unproved);
    else {
      const connection = makeConnection({ id, proved: false, channel, close, ...hello });
      greet(connection);
      return connection;
    }
    return null;
  };
  const answerHealth = (): void => {
    callOff();
    const { status, checked } = askHealth(parts);
    channel.send({ type: "health-response", status, "checked-p": checked }, "other");
  };

  const channel = openChannel({
    socket,
    codec: daemonCodec,
    limits,
    wait,
    listener: {
      message: (message) => {
        if (message["type"] === "health-check") answerHealth();
        else if (now.connection === null) {
          const connection = establish(message);
          if (connection !== null) void handle(connection, message);
        } else if (isProof(message)) close(provedTwice);
        else void handle(now.connection, message);
      },
      broken: close,
      ended: () => {
        now.leaving = true;
        if (now.handled === 0) close();
        else callOff = startDeadline(wait, limits.lingerMilliseconds, () => close());
      },
      closed: () => {
        callOff();
        const { connection } = now;
        if (connection !== null) attempt("taking leave of it", () => handler.closed(connection));
        gone();
      },
    },
  });
  const { version, capabilities } = parts;
  const handshake = { action: "handshake", version, protocol: wireProtocol, capabilities, nonce };
  channel.send({ type: "event", payload: handshake }, "other");
  if (parts.enforceProof) {
    callOff = startDeadline(wait, limits.proofMilliseconds, () => close(lateProof));
  }
  return { close };
}

const wrongProof: WireError = {
  code: "wrong-proof",
  text: "The proof is wrong: it needs the secret of this daemon's state folder, and the nonces of this connection.",
};
const unproved: WireError = {
  code: "unproved",
  text: "This daemon takes words only from a client that proved itself: send :AUTHENTICATE first.",
};
const lateProof: WireError = {
  code: "proof-timeout",
  text: "The client neither proved itself nor asked for health in time.",
};
const provedTwice: WireError = {
  code: "late-proof",
  text: "A proof comes once, as the first message. Connect again to prove yourself.",
};

function isProof({ type, payload }: JsonObject): boolean {
  return type === "request" && isJsonObject(payload) && payload["action"] === "authenticate";
}

/** A health check that fails tells that nothing is known. */
function askHealth({ health, report }: ConnectionParts): WireHealth {
  try {
    return health();
  } catch (error) {
    report(`The daemon's health cannot be told: ${String(error)}`);
    return { status: "unknown", checked: false };
  }
}

type Known = Pick<Connection, "id" | "proved" | "source" | "capabilities" | "workspace" | "close"> & {
  readonly channel: Channel;
};

function makeConnection({ channel, id, proved, source, capabilities, workspace, close }: Known): Connection {
  const streams = capabilities.includes("stream");
  return {
    id,
    proved,
    source,
    capabilities,
    workspace,
    send: (message, kind) => {
      if ((kind === "chunk" || message["type"] === "stream-reset") && !streams) return;
      channel.send(message, kind);
    },
    close,
  };
}
