import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { constants } from "node:zlib";
import { decodersOf, type MakeDecoder } from "./content-encodings.ts";

/** The decoders of this process. */
export const decoders = decodersOf(constants);

/** A server that compresses more often than this attacks. */
const mostLayers = 3;

/**
 * The stream of a body with its content encodings undone (RFC 9110, 8.4); or its encoding, if that is not
 * known or not safe to undo here.
 */
export async function decodeBody(
  answer: IncomingMessage,
  known: ReadonlyMap<string, MakeDecoder> = decoders,
): Promise<
  { readonly ok: true; readonly stream: Readable } | { readonly ok: false; readonly encoding: string }
> {
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
  return { ok: true, stream };
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
