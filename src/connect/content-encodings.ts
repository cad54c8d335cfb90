import type { Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

/**
 * Makes a stream that undoes an encoding. Many servers send `deflate` without the zlib header, which the
 * first byte shows.
 */
export type MakeDecoder = (first: number) => Transform;

/**
 * The content encodings (RFC 9110, 8.4) that this Node undoes safely: Brotli only where its constants show
 * the decoder without CVE-2026-111497.
 */
export function decodersOf(zlibConstants: object): ReadonlyMap<string, MakeDecoder> {
  const decoders: readonly (readonly [string, MakeDecoder])[] = [
    ["gzip", () => createGunzip()],
    ["x-gzip", () => createGunzip()],
    ["deflate", (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
    ["br", () => createBrotliDecompress()],
    ["zstd", () => createZstdDecompress()],
  ];
  const hasSafeBrotli = "BROTLI_DECODER_ERROR_FORMAT_BLOCK_SWITCH" in zlibConstants;
  return new Map(decoders.filter(([name]) => name !== "br" || hasSafeBrotli));
}

/** The value of `accept-encoding` that asks for these encodings. */
export function acceptEncoding(known: ReadonlyMap<string, MakeDecoder>): string {
  return ["gzip", "deflate", "br", "zstd"].filter((name) => known.has(name)).join(", ");
}
