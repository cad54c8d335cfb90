import type { Socket } from "node:net";
import type { Wait } from "../../signal/clock.ts";
import { isJsonObject, type JsonObject } from "../../signal/json.ts";
import type { Codec } from "../codec/codec.ts";
import { frame, makeFrameReader } from "../codec/frame.ts";
import type { WireLimits } from "../codec/limits.ts";
import { splitMessage } from "../codec/parts.ts";
import { startDeadline } from "./deadline.ts";
import { makeSendQueue, type StreamKey } from "./send-queue.ts";

/** What is wrong with what a peer sent, or why it is disconnected; told to it as a protocol error. `offset` counts from the start of the form. */
export type WireError = { readonly code: string; readonly text: string; readonly offset?: number };

/** What a channel tells its owner. Nothing comes after `closed`. */
export type ChannelListener = {
  readonly message: (message: JsonObject) => void;
  /** The peer sent what does not read, was too slow to end a frame, or reads too slowly. The owner closes. */
  readonly broken: (error: WireError) => void;
  /** Something failed while a message was read: our own mistake. */
  readonly failed: (error: unknown) => void;
  /** The peer sends no more. */
  readonly ended: () => void;
  /** With what the socket had to say, empty where nothing. */
  readonly closed: (reason: string) => void;
};

/** Messages over one socket, each way. */
export type Channel = {
  /** Never waits. To a slow reader a chunk may be dropped, and its stream is then withdrawn; any other message is kept, or the channel is broken. `written` is called once the system took all of a message that is no chunk, and never where it was lost. */
  readonly send: (message: JsonObject, kind: "chunk" | "other", written?: () => void) => void;
  /** From now on frames may be this long. */
  readonly setFrameLimit: (codePoints: number) => void;
  /** Sends what waits, then closes; `hears` says whether messages are still taken until the peer closes too. */
  readonly end: (hears: boolean) => void;
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

/** Speaks over a socket of which nobody else hears. A frame that began and is not whole in time breaks the channel. */
export function openChannel(parts: ChannelParts): Channel {
  const { socket, codec, limits, wait, listener } = parts;
  const reader = makeFrameReader({ codePoints: limits.unprovedFrameCodePoints });
  const queue = makeSendQueue(limits);
  const is = { sending: true, hearing: true, full: false, finished: false };
  const deadline = { callOff: null as (() => void) | null };
  let callOffLinger = (): void => {};
  let reason = "";

  const stopDeadline = (): void => {
    deadline.callOff?.();
    deadline.callOff = null;
  };
  const startFrameDeadline = (): void => {
    if (!is.hearing || !reader.pending()) return;
    deadline.callOff ??= startDeadline(wait, limits.frameMilliseconds, () => {
      const seconds = limits.frameMilliseconds / 1000;
      listener.broken({ code: "frame-timeout", text: `A frame was not whole after ${seconds} s.` });
    });
  };
  const hear = (text: string): void => {
    const decoded = codec.decode(text);
    if (decoded.ok) listener.message(decoded.message);
    else listener.broken({ code: decoded.code, text: decoded.text, offset: decoded.offset });
  };
  const pump = (): void => {
    while (!is.full) {
      const batch = queue.take();
      if (batch === null) break;
      is.full = !socket.write(batch.bytes, (error) => {
        if (error === undefined || error === null) for (const tell of batch.written) tell();
      });
    }
    if (is.sending || is.full || is.finished) return;
    is.finished = true;
    socket.end();
  };

  const receive = (bytes: Uint8Array): void => {
    const events = reader.push(bytes);
    if (events.length > 0) stopDeadline();
    for (const event of events) {
      if (!is.hearing) return;
      if (event.kind === "frame") hear(event.text);
      else listener.broken({ code: event.code, text: event.text, offset: event.offset });
    }
    startFrameDeadline();
  };

  socket.on("data", (bytes: Buffer) => {
    if (!is.hearing) return;
    try {
      receive(bytes);
    } catch (error) {
      listener.failed(error);
    }
  });
  socket.on("drain", () => {
    is.full = false;
    pump();
  });
  socket.on("end", () => {
    stopDeadline();
    if (!is.hearing) return;
    const left = reader.end();
    if (left?.kind === "error") listener.broken({ code: left.code, text: left.text, offset: left.offset });
    else listener.ended();
  });
  socket.on("error", (error) => {
    reason = error.message;
  });
  socket.on("close", () => {
    is.sending = false;
    is.hearing = false;
    stopDeadline();
    callOffLinger();
    queue.clear();
    listener.closed(reason);
  });

  return {
    send: (message, kind, written) => {
      if (!is.sending) return;
      const texts = splitMessage(message, codec.encode, limits.frameCodePoints);
      const frames = texts.map((text) => Buffer.from(frame(text)));
      const stream = streamOf(message);
      const [only] = frames;
      if (kind === "chunk" && only !== undefined) {
        queue.addChunk(stream, only, () => Buffer.from(frame(codec.encode(withdrawal(message)))));
      } else if (queue.add(frames, written)) {
        if (message["type"] === "response" || message["type"] === "stream-reset") {
          queue.endStream(stream.session);
        }
      } else {
        queue.clear();
        listener.broken({ code: "slow-reader", text: slow });
      }
      pump();
    },
    setFrameLimit: reader.setLimit,
    end: (hears) => {
      is.hearing &&= hears;
      if (!is.hearing) {
        stopDeadline();
        socket.resume();
      }
      if (!is.sending) return;
      is.sending = false;
      callOffLinger = startDeadline(wait, limits.lingerMilliseconds, () => socket.destroy());
      pump();
    },
    pause: () => {
      stopDeadline();
      socket.pause();
    },
    resume: () => {
      socket.resume();
      startFrameDeadline();
    },
  };
}

const slow =
  "What was sent was not read for too long, so this connection ends. What was not read is kept: connect again to have it.";

function streamOf(message: JsonObject): StreamKey {
  const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
  return { session: String(meta["session-id"] ?? ""), turn: String(meta["turn-id"] ?? "") };
}

/** Takes back what was shown of a stream, so that no half text remains. */
function withdrawal({ meta }: JsonObject): JsonObject {
  return {
    type: "stream-reset",
    ...(meta === undefined ? {} : { meta }),
    payload: { text: "This reader is slow: the stream ends here, and the whole text follows." },
  };
}
