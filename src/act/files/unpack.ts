import type { Transform } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, createZstdDecompress, gunzip, zstdDecompress } from "node:zlib";

/** How the compressed formats begin that can be unpacked here, and what unpacks them. */
const packings = [
  { magic: Buffer.of(0x1f, 0x8b), open: promisify(gunzip), stream: createGunzip },
  {
    magic: Buffer.of(0x28, 0xb5, 0x2f, 0xfd),
    open: promisify(zstdDecompress),
    stream: createZstdDecompress,
  },
];

function packingOf(bytes: Uint8Array) {
  return packings.find(({ magic }) => magic.equals(bytes.subarray(0, magic.length)));
}

/** True for the bytes of a compressed file that can be unpacked here. */
export function isPacked(bytes: Uint8Array): boolean {
  return packingOf(bytes) !== undefined;
}

/** What unpacks a file that begins with these bytes; null for one that is not packed. */
export function unpackStream(head: Uint8Array): Transform | null {
  return packingOf(head)?.stream() ?? null;
}

/** The contents of a compressed file; null for any other, and for one that is damaged or larger than `maxOutputLength` bytes. */
export async function unpack(bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array | null> {
  const packing = packingOf(bytes);
  if (packing === undefined) return null;
  return packing.open(bytes, { maxOutputLength }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  });
}
