import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { decodeBody } from "./decode-body.ts";

/**
 * An answer as a `Response` of the web, with its content encodings undone. `read` gives the pieces of its
 * body, and may cut or refuse it.
 */
export async function toResponse(
  answer: IncomingMessage,
  read: (stream: Readable) => AsyncIterable<Uint8Array>,
): Promise<Response> {
  const { statusCode: status = 502, statusMessage: statusText = "" } = answer;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !gone.has(name)) headers.set(name, [value].flat().join(", "));
  if (status === 204 || status === 205 || status === 304) {
    answer.resume();
    return new Response(null, { status, statusText, headers });
  }
  const body = await decodeBody(answer);
  if (!body.ok) throw new Error(`it is encoded in a way that is not known (${body.encoding})`);
  return new Response(ReadableStream.from(read(body.stream)), { status, statusText, headers });
}

/** What is no longer true of a body whose encodings are undone. */
const gone = new Set(["content-encoding", "content-length", "transfer-encoding"]);
