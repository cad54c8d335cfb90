import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { send } from "../../connect/send.ts";
import { toResponse } from "../../connect/to-response.ts";
import { excessOf, longestMessage } from "./message-limits.ts";
import { readEvents } from "./read-events.ts";
import { ServerFailure } from "./server-failure.ts";
import { mostBytes } from "./stdio-transport.ts";

/** Where a server may be reached: its origin, the addresses that were judged last, how many streams were opened since then, and how many requests are under way. */
export type PinnedPlace = {
  readonly origin: string;
  addresses: readonly string[];
  streams: number;
  underWay: number;
};

/** How many streams may be opened in one use: a server that ends each one and wants to be asked again at once is not asked without end. */
const mostStreams = 100;
/** How many requests may be under way: each question of a server is answered by one, and each takes a socket. */
const mostUnderWay = 20;

/**
 * Reads a message of a server, or several: the text that the library gets in its place. Throws where it is
 * too much.
 */
export type ReadMessage = (text: string) => string | null;

const eventStream = "text/event-stream";

/** A text that is not too much, as it is. */
const bounded: ReadMessage = (text) => {
  const excess = excessOf(text);
  if (excess !== null) throw new ServerFailure(excess);
  return text;
};

/**
 * A `fetch` that connects to the judged addresses of one origin alone, follows nothing, reads each message,
 * and ends an answer that is too long. HTTP is loaded on first use.
 */
export function makePinnedFetch(place: PinnedPlace, read: ReadMessage = bounded) {
  return async (given: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(given);
    if (url.origin !== place.origin) throw new Error(`it leads to ${url.host}, which is not in its entry`);
    const { method = "GET" } = init;
    if (method === "GET") place.streams += 1;
    if (place.streams > mostStreams) throw new Error(`it ended more than ${mostStreams} streams`);
    if (place.underWay >= mostUnderWay) throw new Error(`it wants more than ${mostUnderWay} answers at once`);
    place.underWay += 1;
    const headers = Object.fromEntries(new Headers(init.headers));
    try {
      const answer = await send({
        url,
        method,
        headers,
        body:
          typeof init.body === "string" || init.body instanceof URLSearchParams
            ? String(init.body)
            : undefined,
        addresses: place.addresses,
        isConfidential: true,
        signal: init.signal ?? undefined,
      });
      answer.once("close", () => {
        place.underWay -= 1;
      });
      const isStream = method === "GET" && headers["accept"]?.includes(eventStream) === true;
      return await toResponse(answer, (stream) =>
        readBody(upToLimit(stream), formOf(answer, isStream), read),
      );
    } catch (error) {
      place.underWay -= 1;
      throw error;
    }
  };
}

async function* upToLimit(stream: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of stream.iterator()) {
    const chunk: Uint8Array = Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`it sent more than ${mostBytes} bytes`);
    yield chunk;
  }
}

/**
 * What the library takes an answer for: events, or one text. A stream that was asked for is events whatever
 * its type says; of a refusal a text alone is parsed, whatever its type says.
 */
function formOf({ statusCode = 0, headers }: IncomingMessage, isStream: boolean): "events" | "text" {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  return statusCode < 300 && (isStream || type === eventStream) ? "events" : "text";
}

/** The body of an answer with its messages read. */
function readBody(
  pieces: AsyncIterable<Uint8Array>,
  form: "events" | "text",
  read: ReadMessage,
): AsyncIterable<Uint8Array> {
  return form === "events" ? readEvents(pieces, read) : readWhole(pieces, read);
}

/** A body that is one message, or a list of them. What is none stays as it is. */
async function* readWhole(pieces: AsyncIterable<Uint8Array>, read: ReadMessage): AsyncGenerator<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > longestMessage)
      throw new ServerFailure(`it sent a message of more than ${longestMessage} bytes`);
    kept.push(piece);
  }
  // The library strips one mark of the byte order more, and parses what stands behind it.
  const text = new TextDecoder().decode(Buffer.concat(kept)).replace(/^\uFEFF+/, "");
  yield Buffer.from(read(text) ?? text);
}
