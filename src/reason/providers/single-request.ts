import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { acceptEncoding } from "../../connect/content-encodings.ts";
import { decoders } from "../../connect/decode-body.ts";
import { type Agents, send } from "../../connect/send.ts";
import { toResponse } from "../../connect/to-response.ts";
import type { ResponseInfo } from "./failure.ts";

/** A `fetch` for one model call. `seen` tells what it received. */
export type SingleRequest = {
  readonly fetch: typeof fetch;
  readonly seen: () => Omit<ResponseInfo, "begun">;
};

/**
 * Makes a `fetch` that sends one request, only to the origin of the provider's address. Redirections are not followed, and a
 * second request (a retry or continuation by a package) is refused, because it was not judged. A web page is not read; an
 * answer is read up to a limit, and in slices between which the event loop turns, so that a flood holds up nobody else.
 */
export function makeSingleRequest(baseUrl: string, agents?: Agents): SingleRequest {
  const { origin } = new URL(baseUrl);
  let sent = false;
  let seen: Omit<ResponseInfo, "begun"> = { status: null, contentType: "", head: "" };
  return {
    seen: () => seen,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.origin !== origin) throw new Error(`a request to ${url.host} does not belong to this provider`);
      if (sent) throw new Error("a second request for one model call");
      sent = true;
      const answer = await connect({ url, init, agents });
      const contentType = answer.headers["content-type"] ?? "";
      const status = answer.statusCode ?? 0;
      seen = { status, contentType, head: "" };
      if (status >= 200 && status < 300 && /html/i.test(contentType)) {
        answer.destroy();
        throw new Error("a web page instead of an answer");
      }
      const keepHead = (piece: Uint8Array): void => {
        if (seen.head.length < headBytes)
          seen = { ...seen, head: seen.head + new TextDecoder().decode(piece.subarray(0, headBytes)) };
      };
      return toResponse(answer, (stream) => slicesOf(stream, { keepHead, signal: init?.signal ?? null }));
    },
  };
}

/**
 * Sends a request of `fetch`. Its failures look as those of `fetch` do, since packages for providers read
 * them.
 */
async function connect({
  url,
  init,
  agents,
}: {
  readonly url: URL;
  readonly init: RequestInit | undefined;
  readonly agents: Agents | undefined;
}): Promise<IncomingMessage> {
  const { body, method = "GET", signal } = init ?? {};
  if (body !== undefined && body !== null && typeof body !== "string")
    throw new Error("a request body that is no text");
  signal?.throwIfAborted();
  const headers = new Headers({
    accept: "*/*",
    "user-agent": "passepartout",
    "accept-encoding": acceptEncoding(decoders),
  });
  for (const [name, value] of new Headers(init?.headers)) headers.set(name, value);
  try {
    return await send({
      url,
      method,
      headers: Object.fromEntries(headers),
      body: body ?? undefined,
      addresses: null,
      isConfidential: true,
      ...(agents === undefined ? {} : { agents }),
      signal: signal ?? undefined,
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause });
  }
}

/** The most bytes of an answer that are read: far more than the longest answer that is requested. */
const mostBytes = 16 * 1024 * 1024;

/** Bytes of the begin of an answer that are kept, to say what came in its place. */
const headBytes = 200;

/** Bytes that are handed over in one turn of the event loop. Pieces of a few letters make some 20 events of them. */
const sliceBytes = 4096;

async function* slicesOf(
  stream: Readable,
  {
    keepHead,
    signal,
  }: { readonly keepHead: (piece: Uint8Array) => void; readonly signal: AbortSignal | null },
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  try {
    for await (const piece of stream.iterator()) {
      const bytes: Uint8Array = Buffer.from(piece);
      keepHead(bytes);
      seen += bytes.length;
      if (seen > mostBytes) throw new Error("an answer without end");
      for (let at = 0; at < bytes.length; at += sliceBytes) {
        yield bytes.subarray(at, at + sliceBytes);
        await setImmediate();
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
