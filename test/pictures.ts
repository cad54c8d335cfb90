import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

/** A PNG of so many bytes with the header of 1,000 × 1,000 pixels; what it shows is noise. */
export function noisyPicture(bytes: number): Uint8Array {
  return pictureOf(1_000, 1_000, randomBytes(bytes));
}

/** A PNG of so many pixels, all black. */
export function picture(width: number, height: number): Uint8Array {
  return pictureOf(width, height, deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8)))));
}

function pictureOf(width: number, height: number, data: Buffer): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
