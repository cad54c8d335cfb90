import type { Socket } from "node:net";
import type { Wait } from "../../text/clock.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import { protocolNotice } from "../../text/version-notice.ts";
import { type Channel, openChannel } from "../channel/channel.ts";
import { Deadline } from "../channel/deadline.ts";
import { clientCodec } from "../codec/codec.ts";
import type { WireLimits } from "../codec/limits.ts";
import { makePartJoiner } from "../codec/parts.ts";
import { checkProof, makeNonce, proofOf } from "../codec/proof.ts";
import { type ClientSource, wireProtocol } from "../codec/protocol.ts";

/** Why a connection ended. `protocol-error` was sent by the daemon, with its code; the other codes are ours. */
export type Disconnection = {
  readonly code: "lost" | "silent" | "not-our-daemon" | "other-protocol" | "broken" | "protocol-error";
  /** The code of the daemon's protocol error; empty otherwise. */
  readonly error: string;
  readonly reason: string;
};

/** What the daemon's greeting says about it. */
export type DaemonHello = { readonly version: string; readonly capabilities: readonly string[] };

export type ClientConnectionParts = {
  readonly socket: Socket;
  readonly secret: Uint8Array;
  readonly source: ClientSource;
  readonly capabilities: readonly string[];
  /** The absolute folder of the client; null for none. */
  readonly workspace: string | null;
  readonly wait: Wait;
  readonly limits: WireLimits;
  readonly listener: {
    /** Both ends have proved themselves. */
    readonly ready: (hello: DaemonHello) => void;
    /** A whole message arrived; its parts are joined. */
    readonly message: (message: JsonObject) => void;
    /** The socket is closed. Called once. */
    readonly ended: (end: Disconnection) => void;
  };
};

/** One connection of a client to a daemon. Before the daemon has proved itself, nothing but the client's own proof is sent. */
export type ClientConnection = {
  readonly send: (message: JsonObject) => void;
  /** Sends what is queued, receives what the daemon still sends, and disconnects. */
  readonly close: () => void;
};

/** Proves this client to the program that holds the socket, and requires its proof in return. An impostor gets a proof that is useless elsewhere, and no message. */
export function openClientConnection(parts: ClientConnectionParts): ClientConnection {
  return new ProvingConnection(parts);
}

class ProvingConnection implements ClientConnection {
  readonly #parts: ClientConnectionParts;
  readonly #channel: Channel;
  readonly #joiner = makePartJoiner();
  readonly #clientNonce = makeNonce();
  /** Runs until the daemon has proved itself. */
  readonly #proofDeadline: Deadline;
  /** The daemon's greeting; null until it has arrived. */
  #greeting: { readonly hello: DaemonHello; readonly nonce: string } | null = null;
  #ready = false;
  #end: Disconnection = { code: "lost", error: "", reason: "The daemon closed the connection." };

  constructor(parts: ClientConnectionParts) {
    const { socket, limits, wait } = parts;
    this.#parts = parts;
    this.#proofDeadline = new Deadline(wait, limits.proofMilliseconds, () =>
      this.#giveUp(
        "silent",
        "The program that holds the socket did not prove itself in time. It may be busy, stopped, or another program: try again in a minute; passepartout doctor says which process it is, and whether it works.",
      ),
    );
    this.#proofDeadline.start();
    this.#channel = openChannel({
      socket,
      codec: clientCodec,
      limits: { ...limits, queueBytes: Number.POSITIVE_INFINITY },
      wait,
      listener: {
        message: (message) => this.#receive(message),
        broken: ({ text }) => this.#breakOff(text),
        failed: (error) => {
          throw error;
        },
        ended: () => this.#channel.end(false),
        closed: (reason) => this.#onClosed(reason),
      },
    });
  }

  readonly send = (message: JsonObject): void => this.#channel.send(message, "other");

  readonly close = (): void => this.#channel.end(true);

  #receive(message: JsonObject): void {
    const payload = isJsonObject(message["payload"]) ? message["payload"] : {};
    if (message["type"] === "protocol-error") {
      const { code, text } = payload;
      this.#end = { code: "protocol-error", error: String(code ?? ""), reason: String(text ?? "") };
      this.#channel.end(false);
    } else if (this.#ready) this.#deliver(message);
    else if (this.#greeting === null) this.#sendProof(payload);
    else this.#checkProof(this.#greeting, payload);
  }

  #deliver(message: JsonObject): void {
    const joined = this.#joiner.add(message);
    if (!joined.ok) this.#giveUp("broken", joined.reason);
    else if (joined.message !== null) this.#parts.listener.message(joined.message);
  }

  #sendProof(handshake: JsonObject): void {
    const greeting = readHandshake(handshake);
    if (!greeting.ok) {
      this.#giveUp(greeting.code, greeting.reason);
      return;
    }
    this.#greeting = greeting;
    const { secret, source, capabilities, workspace } = this.#parts;
    const proof = {
      action: "authenticate",
      nonce: this.#clientNonce,
      mac: proofOf(secret, "client", greeting.nonce, this.#clientNonce),
      capabilities,
      ...(workspace === null ? {} : { workspace }),
    };
    this.send({ type: "request", meta: { source }, payload: proof });
  }

  #checkProof(
    { hello, nonce }: { readonly hello: DaemonHello; readonly nonce: string },
    answer: JsonObject,
  ): void {
    const { secret, limits, listener } = this.#parts;
    const { action, mac } = answer;
    const clientNonce = this.#clientNonce;
    const proved =
      action === "authenticated" &&
      typeof mac === "string" &&
      checkProof({ secret, who: "server", serverNonce: nonce, clientNonce, mac });
    if (!proved) {
      this.#giveUp(
        "not-our-daemon",
        "The program that holds the socket does not know the secret: it is not your daemon.",
      );
      return;
    }
    this.#proofDeadline.cancel();
    this.#ready = true;
    this.#channel.setFrameLimit(limits.frameCodePoints);
    listener.ready(hello);
  }

  /** What greets in no frame is no daemon. */
  #breakOff(text: string): void {
    if (this.#greeting === null) this.#giveUp("not-our-daemon", anotherProgram);
    else this.#giveUp("broken", `The daemon's message cannot be read: ${text}`);
  }

  #giveUp(code: Disconnection["code"], reason: string): void {
    this.#end = { code, error: "", reason };
    this.#channel.end(false);
    this.#parts.socket.destroy();
  }

  #onClosed(reason: string): void {
    this.#proofDeadline.cancel();
    const end = this.#end;
    const broke = reason !== "" && end.code === "lost";
    this.#parts.listener.ended(broke ? { ...end, reason: `The connection broke: ${reason}.` } : end);
  }
}

const anotherProgram = "Another program is listening on this socket. Stop it, or remove the socket file.";

type Handshake =
  | { readonly ok: true; readonly hello: DaemonHello; readonly nonce: string }
  | { readonly ok: false; readonly code: Disconnection["code"]; readonly reason: string };

function readHandshake({ action, protocol, nonce, version, capabilities }: JsonObject): Handshake {
  if (action !== "handshake" || typeof nonce !== "string" || !/^[0-9a-f]{64}$/.test(nonce)) {
    return { ok: false, code: "not-our-daemon", reason: anotherProgram };
  }
  if (protocol !== wireProtocol) {
    const daemon = { version: String(version), protocol: Number(protocol) };
    const reason = protocolNotice(daemon, wireProtocol);
    return { ok: false, code: "other-protocol", reason };
  }
  const named = Array.isArray(capabilities) ? capabilities.map(String) : [];
  return { ok: true, hello: { version: String(version), capabilities: named }, nonce };
}
