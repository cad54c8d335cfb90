import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";

/** How the compressed formats begin that can be unpacked here, and what unpacks them. */
const packings = [
  { magic: Buffer.of(0x1f, 0x8b), open: promisify(gunzip) },
  { magic: Buffer.of(0x28, 0xb5, 0x2f, 0xfd), open: promisify(zstdDecompress) },
];

/** The contents of a compressed file; null for any other, and for one that is damaged or larger than `maxOutputLength` bytes. */
export async function unpack(bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array | null> {
  const packing = packings.find(({ magic }) => magic.equals(bytes.subarray(0, magic.length)));
  if (packing === undefined) return null;
  return packing.open(bytes, { maxOutputLength }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  });
}
