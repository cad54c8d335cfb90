import { isUtf8 } from "node:buffer";
import type { MediaType, pictureTypes } from "../../signal/attachment.ts";

/** What the bytes of a file are, whatever its name says. */
export type Media =
  | { readonly media: (typeof pictureTypes)[number]; readonly width: number; readonly height: number }
  | { readonly media: Exclude<MediaType, (typeof pictureTypes)[number]> };

/** Reads what a file is from its first bytes; null if it is none of the types that can be attached. No picture is unpacked. */
export function mediaOf(bytes: Uint8Array): Media | null {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const picture = pngSize(whole) ?? gifSize(whole) ?? webpSize(whole) ?? jpegSize(whole);
  if (picture !== null) return picture;
  if (whole.subarray(0, 1024).includes("%PDF-")) return { media: "application/pdf" };
  return !whole.includes(0) && isUtf8(whole) ? { media: "text/plain" } : null;
}

function pngSize(bytes: Buffer): Media | null {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
  return isPng && bytes.toString("latin1", 12, 16) === "IHDR"
    ? { media: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null;
}

function gifSize(bytes: Buffer): Media | null {
  return bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))
    ? { media: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    : null;
}

function webpSize(bytes: Buffer): Media | null {
  const isWebp =
    bytes.length >= 30 &&
    bytes.toString("latin1", 0, 4) === "RIFF" &&
    bytes.toString("latin1", 8, 12) === "WEBP";
  if (!isWebp) return null;
  const media = "image/webp";
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { media, width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { media, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8 ":
      return { media, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}

/** The size stands in the first frame header, behind segments that each name their length. */
function jpegSize(bytes: Buffer): Media | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame)
      return { media: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker < 0xff01 || marker === 0xffda) return null;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
