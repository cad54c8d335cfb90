import type { IncomingMessage } from "node:http";
import { pinAddresses } from "../web/send-request.ts";
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

/** A `fetch` that connects to the judged addresses of one origin alone, follows nothing, and ends an answer that is too long. HTTP is loaded on first use. */
export function makePinnedFetch(place: PinnedPlace) {
  return async (given: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(given);
    if (url.origin !== place.origin) throw new Error(`it leads to ${url.host}, which is not in its entry`);
    const { method = "GET" } = init;
    if (method === "GET") place.streams += 1;
    if (place.streams > mostStreams) throw new Error(`it ended more than ${mostStreams} streams`);
    const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
    if (place.underWay >= mostUnderWay) throw new Error(`it wants more than ${mostUnderWay} answers at once`);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sent = request(
      url,
      {
        method,
        agent: false,
        lookup: pinAddresses(place.addresses),
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.signal instanceof AbortSignal ? { signal: init.signal } : {}),
      },
      (response) => {
        const status = response.statusCode ?? 502;
        const headers = new Headers();
        for (const [name, value] of Object.entries(response.headers))
          if (value !== undefined) headers.set(name, [value].flat().join(", "));
        const isEmpty = status === 204 || status === 205 || status === 304;
        if (isEmpty) response.resume();
        const body = isEmpty ? null : ReadableStream.from(upToLimit(response));
        resolve(new Response(body, { status, headers }));
      },
    );
    place.underWay += 1;
    sent.once("close", () => {
      place.underWay -= 1;
    });
    sent.once("error", reject);
    if (typeof init.body === "string" || init.body instanceof URLSearchParams) sent.end(String(init.body));
    else sent.end();
    return promise;
  };
}

async function* upToLimit(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of response.iterator()) {
    const chunk: Uint8Array = Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`it sent more than ${mostBytes} bytes`);
    yield chunk;
  }
}
