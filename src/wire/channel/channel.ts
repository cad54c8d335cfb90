import type { Socket } from "node:net";
import type { Wait } from "../../text/clock.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import type { Codec } from "../codec/codec.ts";
import { type FrameReader, frame, makeFrameReader } from "../codec/frame.ts";
import type { WireLimits } from "../codec/limits.ts";
import { splitMessage } from "../codec/parts.ts";
import { Deadline } from "./deadline.ts";
import { makeSendQueue, type SendQueue, type StreamKey } from "./send-queue.ts";

/** Why a peer's input is refused or the peer is disconnected. It is sent to the peer as a protocol error. `offset` counts from the start of the form. */
export type WireError = { readonly code: string; readonly text: string; readonly offset?: number };

/** What a channel reports to its owner. `closed` comes last. */
export type ChannelListener = {
  readonly message: (message: JsonObject) => void;
  /** The peer sent unreadable input, was too slow to complete a frame, or reads too slowly. The owner must end the channel. */
  readonly broken: (error: WireError) => void;
  /** Handling a message threw: a fault of this program. */
  readonly failed: (error: unknown) => void;
  /** The peer will send no more. */
  readonly ended: () => void;
  /** The socket is closed. `reason` is the socket's error, empty if there was none. */
  readonly closed: (reason: string) => void;
};

/** A chunk belongs to a stream; a view is worth nothing once the next one is there. */
export type MessageKind = "chunk" | "view" | "other";

/** Messages in both directions over one socket. */
export type Channel = {
  /**
   * Queues a message and returns at once. A chunk may be dropped for a slow reader; its stream is then withdrawn. A view is dropped where something still waits to be read. If any other message does not fit, the channel is broken.
   * `written` is called once the system has taken the whole message. It is never called for a chunk or a lost message.
   */
  readonly send: (message: JsonObject, kind: MessageKind, written?: () => void) => void;
  /** Sets the most code points that a received frame may have. */
  readonly setFrameLimit: (codePoints: number) => void;
  /** Sends what is queued, then closes. With `keepReceiving`, messages are still delivered until the peer closes too. */
  readonly end: (keepReceiving: boolean) => void;
  readonly pause: () => void;
  readonly resume: () => void;
};

export type ChannelParts = {
  readonly socket: Socket;
  readonly codec: Codec;
  readonly limits: WireLimits;
  readonly wait: Wait;
  readonly listener: ChannelListener;
};

/** Opens a channel on a socket that has no other reader or writer. A frame that is not complete in time breaks the channel. */
export function openChannel(parts: ChannelParts): Channel {
  return new SocketChannel(parts);
}

class SocketChannel implements Channel {
  readonly #socket: Socket;
  readonly #codec: Codec;
  readonly #limits: WireLimits;
  readonly #listener: ChannelListener;
  readonly #reader: FrameReader;
  readonly #queue: SendQueue;
  /** Runs while part of a frame has arrived. */
  readonly #frameDeadline: Deadline;
  /** Runs while the last messages are being sent. */
  readonly #lingerDeadline: Deadline;
  #sending = true;
  #receiving = true;
  /** The socket's own buffer is full: nothing is written until it drains. */
  #full = false;
  #finished = false;
  #socketError = "";

  constructor({ socket, codec, limits, wait, listener }: ChannelParts) {
    this.#socket = socket;
    this.#codec = codec;
    this.#limits = limits;
    this.#listener = listener;
    this.#reader = makeFrameReader({ codePoints: limits.unprovedFrameCodePoints });
    this.#queue = makeSendQueue(limits);
    this.#frameDeadline = new Deadline(wait, limits.frameMilliseconds, () => this.#frameTimedOut());
    this.#lingerDeadline = new Deadline(wait, limits.lingerMilliseconds, () => socket.destroy());
    this.#listenToSocket();
  }

  readonly send = (message: JsonObject, kind: MessageKind, written?: () => void): void => {
    if (!this.#sending || (kind === "view" && this.#full)) return;
    const texts = splitMessage(message, this.#codec.encode, this.#limits.frameCodePoints);
    const frames = texts.map((text) => Buffer.from(frame(text)));
    const [only] = frames;
    if (kind === "chunk" && only !== undefined) {
      const withdraw = (): Uint8Array => Buffer.from(frame(this.#codec.encode(withdrawalOf(message))));
      this.#queue.addChunk(streamOf(message), only, withdraw);
    } else if (this.#queue.add(frames, written)) {
      if (message["type"] === "response" || message["type"] === "stream-reset") {
        this.#queue.endStream(streamOf(message).session);
      }
    } else {
      this.#queue.clear();
      this.#listener.broken({ code: "slow-reader", text: slowReader });
    }
    this.#writeQueued();
  };

  readonly setFrameLimit = (codePoints: number): void => this.#reader.setLimit(codePoints);

  readonly end = (keepReceiving: boolean): void => {
    this.#receiving &&= keepReceiving;
    if (!this.#receiving) {
      this.#frameDeadline.cancel();
      this.#socket.resume();
    }
    if (!this.#sending) return;
    this.#sending = false;
    this.#lingerDeadline.start();
    this.#writeQueued();
  };

  readonly pause = (): void => {
    this.#frameDeadline.cancel();
    this.#socket.pause();
  };

  readonly resume = (): void => {
    this.#socket.resume();
    this.#startFrameDeadline();
  };

  #listenToSocket(): void {
    this.#socket.on("data", (bytes: Buffer) => this.#onData(bytes));
    this.#socket.on("drain", () => {
      this.#full = false;
      this.#writeQueued();
    });
    this.#socket.on("end", () => this.#onEnd());
    this.#socket.on("error", (error) => {
      this.#socketError = error.message;
    });
    this.#socket.on("close", () => this.#onClose());
  }

  #onData(bytes: Buffer): void {
    if (!this.#receiving) return;
    try {
      this.#receive(bytes);
    } catch (error) {
      this.#listener.failed(error);
    }
  }

  #receive(bytes: Uint8Array): void {
    const events = this.#reader.push(bytes);
    if (events.length > 0) this.#frameDeadline.cancel();
    for (const event of events) {
      if (!this.#receiving) return;
      if (event.kind === "frame") this.#deliver(event.text);
      else this.#listener.broken({ code: event.code, text: event.text, offset: event.offset });
    }
    this.#startFrameDeadline();
  }

  #deliver(text: string): void {
    const decoded = this.#codec.decode(text);
    if (decoded.ok) this.#listener.message(decoded.message);
    else this.#listener.broken({ code: decoded.code, text: decoded.text, offset: decoded.offset });
  }

  #writeQueued(): void {
    while (!this.#full) {
      const batch = this.#queue.take();
      if (batch === null) break;
      this.#full = !this.#socket.write(batch.bytes, (error) => {
        if (error === undefined || error === null) for (const written of batch.written) written();
      });
    }
    if (this.#sending || this.#full || this.#finished) return;
    this.#finished = true;
    this.#socket.end();
  }

  #onEnd(): void {
    this.#frameDeadline.cancel();
    if (!this.#receiving) return;
    const last = this.#reader.end();
    if (last?.kind === "error") {
      this.#listener.broken({ code: last.code, text: last.text, offset: last.offset });
    } else this.#listener.ended();
  }

  #onClose(): void {
    this.#sending = false;
    this.#receiving = false;
    this.#frameDeadline.cancel();
    this.#lingerDeadline.cancel();
    this.#queue.clear();
    this.#listener.closed(this.#socketError);
  }

  #startFrameDeadline(): void {
    if (this.#receiving && this.#reader.pending()) this.#frameDeadline.start();
  }

  #frameTimedOut(): void {
    const seconds = this.#limits.frameMilliseconds / 1000;
    const text = `A frame was not complete after ${seconds} s. Send each frame without a pause.`;
    this.#listener.broken({ code: "frame-timeout", text });
  }
}

const slowReader =
  "This connection ends because its messages were not read for too long. The unread messages are kept: connect again to receive them.";

function streamOf(message: JsonObject): StreamKey {
  const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
  return { session: String(meta["session-id"] ?? ""), turn: String(meta["turn-id"] ?? "") };
}

/** The message that withdraws a chunk's stream, so that the client keeps no half text. */
function withdrawalOf({ meta }: JsonObject): JsonObject {
  return {
    type: "stream-reset",
    ...(meta === undefined ? {} : { meta }),
    payload: { text: "This reader is too slow: the stream stops here, and the whole text follows." },
  };
}
