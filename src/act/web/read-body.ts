import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import * as z from "zod";
import { decoders, type MakeDecoder } from "../../connect/content-encodings.ts";

/** The decompressed bytes of a body, `cut` if there were more than were wanted; or its encoding, if that is not known. */
export type Body =
  | { readonly ok: true; readonly bytes: Buffer; readonly cut: boolean }
  | { readonly ok: false; readonly encoding: string };

/** A server that compresses more often than this attacks. */
const mostLayers = 3;

/** Reads a body and undoes its content encodings (RFC 9110, 8.4). Stops after `most` decompressed bytes, however few are on the wire. */
export async function readBody(
  answer: IncomingMessage,
  most: number,
  known: ReadonlyMap<string, MakeDecoder> = decoders,
): Promise<Body> {
  const header = answer.headers["content-encoding"] ?? "";
  const names = header
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const encodings = names.filter((name) => name !== "" && name !== "identity").toReversed();
  if (encodings.length > mostLayers || encodings.some((name) => !known.has(name))) {
    answer.destroy();
    return { ok: false, encoding: header.slice(0, 100) };
  }
  let stream: Readable = answer;
  for (const name of encodings) {
    const first = await firstByte(stream);
    const decoder = first === null ? undefined : known.get(name)?.(first);
    // An error ends the whole pipeline and is thrown where its last stream is read.
    if (decoder !== undefined) stream = pipeline(stream, decoder, () => undefined);
  }
  return readUpTo(stream, most);
}

/** The first byte of a stream, which stays in it; null if it has none. */
async function firstByte(stream: Readable): Promise<number | null> {
  while (!stream.readableEnded) {
    const byte: unknown = stream.read(1);
    if (byte instanceof Buffer) {
      stream.unshift(byte);
      return byte[0] ?? null;
    }
    await Promise.race([once(stream, "readable"), once(stream, "end")]);
  }
  return null;
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
