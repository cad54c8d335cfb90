import type { Socket } from "node:net";
import type { Wait } from "../../signal/clock.ts";
import { isJsonObject, type JsonObject } from "../../signal/json.ts";
import { openChannel } from "../channel/channel.ts";
import { startDeadline } from "../channel/deadline.ts";
import { clientCodec } from "../codec/codec.ts";
import type { WireLimits } from "../codec/limits.ts";
import { makePartJoiner } from "../codec/parts.ts";
import { checkProof, makeNonce, proofOf } from "../codec/proof.ts";
import type { ClientSource } from "../codec/protocol.ts";
import { wireProtocol } from "../codec/protocol.ts";

/** Why a link ended. A `protocol-error` is the daemon's own word, with its code; the others are ours. */
export type Disconnection = {
  readonly code: "lost" | "silent" | "not-our-daemon" | "other-protocol" | "broken" | "protocol-error";
  /** The code of a protocol error; empty otherwise. */
  readonly error: string;
  readonly reason: string;
};

/** What the daemon said of itself. */
export type DaemonHello = { readonly version: string; readonly capabilities: readonly string[] };

export type ClientConnectionParts = {
  readonly socket: Socket;
  readonly secret: Uint8Array;
  readonly source: ClientSource;
  readonly capabilities: readonly string[];
  readonly workspace: string | null;
  readonly wait: Wait;
  readonly limits: WireLimits;
  readonly listener: {
    /** Both ends have proved themselves. */
    readonly ready: (hello: DaemonHello) => void;
    /** A whole message; parts are joined. */
    readonly message: (message: JsonObject) => void;
    /** Once, when the socket is closed. */
    readonly ended: (end: Disconnection) => void;
  };
};

/** One connection of a client. Nothing but the proof is sent before the daemon proved itself. */
export type ClientConnection = {
  readonly send: (message: JsonObject) => void;
  /** Sends what waits, hears the daemon out and disconnects. */
  readonly close: () => void;
};

/** Proves this client to whoever holds the socket, and has it prove itself. A squatter gets a proof that is good for nothing, and no words. */
export function openClientConnection(parts: ClientConnectionParts): ClientConnection {
  const { socket, secret, wait, limits, listener } = parts;
  const joiner = makePartJoiner();
  const clientNonce = makeNonce();
  const now = { hello: null as DaemonHello | null, serverNonce: "", ready: false };
  let end: Disconnection = { code: "lost", error: "", reason: "The daemon closed the connection." };

  const giveUp = (code: Disconnection["code"], reason: string): void => {
    end = { code, error: "", reason };
    channel.end(false);
    socket.destroy();
  };
  const callOff = startDeadline(wait, limits.proofMilliseconds, () =>
    giveUp("silent", "Who holds the socket did not prove itself in time."),
  );
  const prove = (payload: JsonObject): void => {
    const greeting = readHandshake(payload);
    if (!greeting.ok) {
      giveUp(greeting.code, greeting.reason);
      return;
    }
    now.hello = greeting.hello;
    now.serverNonce = greeting.nonce;
    const { source, capabilities, workspace } = parts;
    channel.send(
      {
        type: "request",
        meta: { source },
        payload: {
          action: "authenticate",
          nonce: clientNonce,
          mac: proofOf(secret, "client", now.serverNonce, clientNonce),
          capabilities,
          ...(workspace === null ? {} : { workspace }),
        },
      },
      "other",
    );
  };
  const check = (hello: DaemonHello, payload: JsonObject): void => {
    const { action, mac } = payload;
    const { serverNonce } = now;
    const right =
      action === "authenticated" &&
      typeof mac === "string" &&
      checkProof({ secret, who: "server", serverNonce, clientNonce, mac });
    if (!right) {
      giveUp("not-our-daemon", "Who holds the socket does not know the secret: it is not your daemon.");
      return;
    }
    callOff();
    now.ready = true;
    channel.setFrameLimit(limits.frameCodePoints);
    listener.ready(hello);
  };
  const hear = (message: JsonObject): void => {
    const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
    if (message["type"] === "protocol-error") {
      const { code, text } = payload;
      end = { code: "protocol-error", error: String(code ?? ""), reason: String(text ?? "") };
      channel.end(false);
    } else if (now.ready) {
      const joined = joiner.add(message);
      if (!joined.ok) giveUp("broken", joined.reason);
      else if (joined.message !== null) listener.message(joined.message);
    } else if (now.hello === null) prove(payload);
    else check(now.hello, payload);
  };

  const channel = openChannel({
    socket,
    codec: clientCodec,
    limits: { ...limits, queueBytes: Number.POSITIVE_INFINITY },
    wait,
    listener: {
      message: hear,
      broken: ({ text }) => giveUp("broken", `The daemon's words do not read: ${text}`),
      failed: (error) => {
        throw error;
      },
      ended: () => channel.end(false),
      closed: (reason) => {
        callOff();
        listener.ended(
          reason === "" || end.code !== "lost" ? end : { ...end, reason: `The connection broke: ${reason}.` },
        );
      },
    },
  });
  return { send: (message) => channel.send(message, "other"), close: () => channel.end(true) };
}

type Greeting =
  | { readonly ok: true; readonly hello: DaemonHello; readonly nonce: string }
  | { readonly ok: false; readonly code: Disconnection["code"]; readonly reason: string };

function readHandshake({ action, protocol, nonce, version, capabilities }: JsonObject): Greeting {
  if (action !== "handshake" || typeof nonce !== "string" || !/^[0-9a-f]{64}$/.test(nonce)) {
    return {
      ok: false,
      code: "not-our-daemon",
      reason: "Who holds the socket does not greet as a daemon does.",
    };
  }
  if (protocol !== wireProtocol) {
    const reason = `The daemon (version ${String(version)}) speaks protocol ${String(protocol)} and this client ${wireProtocol}: install the same version of both.`;
    return { ok: false, code: "other-protocol", reason };
  }
  const named = Array.isArray(capabilities) ? capabilities.map(String) : [];
  return { ok: true, hello: { version: String(version), capabilities: named }, nonce };
}
