import { setImmediate } from "node:timers/promises";
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
export function makeSingleRequest(baseUrl: string): SingleRequest {
  const { origin } = new URL(baseUrl);
  let sent = false;
  let seen: Omit<ResponseInfo, "begun"> = { status: null, contentType: "" };
  return {
    seen: () => seen,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.origin !== origin) throw new Error(`a request to ${url.host} does not belong to this provider`);
      if (sent) throw new Error("a second request for one model call");
      sent = true;
      const response = await fetch(url, { ...init, redirect: "manual" });
      const contentType = response.headers.get("content-type") ?? "";
      seen = { status: response.status, contentType };
      if (response.ok && /html/i.test(contentType)) {
        await response.body?.cancel();
        throw new Error("a web page instead of an answer");
      }
      return new Response(response.body?.pipeThrough(upTo(mostBytes)) ?? null, response);
    },
  };
}

/** The most bytes of an answer that are read: far more than the longest answer that is requested. */
const mostBytes = 16 * 1024 * 1024;

/** Bytes that are handed over in one turn of the event loop. Pieces of a few letters make some 20 events of them. */
const sliceBytes = 4096;

function upTo(most: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    async transform(bytes, controller) {
      seen += bytes.length;
      if (seen > most) {
        controller.error(new Error("an answer without end"));
        return;
      }
      for (let at = 0; at < bytes.length; at += sliceBytes) {
        if (at > 0) await setImmediate();
        controller.enqueue(bytes.subarray(at, at + sliceBytes));
      }
      await setImmediate();
    },
  });
}
