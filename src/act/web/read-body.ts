import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import * as z from "zod";
import type { MakeDecoder } from "../../connect/content-encodings.ts";
import { decodeBody, decoders } from "../../connect/decode-body.ts";

/** The decompressed bytes of a body, `cut` if there were more than were wanted; or its encoding, if that is not known. */
export type Body =
  | { readonly ok: true; readonly bytes: Buffer; readonly cut: boolean }
  | { readonly ok: false; readonly encoding: string };

/**
 * Reads a body and undoes its content encodings. Stops after `most` decompressed bytes, however few are on
 * the wire.
 */
export async function readBody(
  answer: IncomingMessage,
  most: number,
  known: ReadonlyMap<string, MakeDecoder> = decoders,
): Promise<Body> {
  const body = await decodeBody(answer, known);
  return body.ok ? readUpTo(body.stream, most) : body;
}

async function readUpTo(stream: Readable, most: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = z.instanceof(Buffer).parse(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > most) return { ok: true, bytes: Buffer.concat(chunks).subarray(0, most), cut: true };
  }
  return { ok: true, bytes: Buffer.concat(chunks), cut: false };
}
