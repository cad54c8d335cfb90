import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { picture } from "../../../test/pictures.ts";
import { mediaOf } from "./media-type.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const jpeg = bytes("\xff\xd8\xff\xe0\0\x04JF\xff\xc2\0\x0b\x08\0\x20\0\x40\x03\x01\x22\0\xff\xda");

test("what a file is shows in its bytes, whatever its name says, with the pixels of a picture", () => {
  for (const [given, expected] of [
    [picture(300, 20), { media: "image/png", width: 300, height: 20 }],
    [bytes("GIF89a\x40\0\x20\0\xf0\0\0"), { media: "image/gif", width: 64, height: 32 }],
    [jpeg, { media: "image/jpeg", width: 64, height: 32 }],
    [
      bytes("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\0\0\x1f\0\0"),
      { media: "image/webp", width: 64, height: 32 },
    ],
    [
      bytes("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x3f\xc0\x07\0\0\0\0\0\0"),
      { media: "image/webp", width: 64, height: 32 },
    ],
    [
      bytes("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\0\x20\0"),
      { media: "image/webp", width: 64, height: 32 },
    ],
    [bytes("%PDF-1.7\n\0\0"), { media: "application/pdf" }],
    [Buffer.from("Grüße\n"), { media: "text/plain" }],
    [bytes("Gr\xfc\xdfe\n"), null],
    [bytes("text\0with a hole"), null],
    [bytes("\x89PNG\r\n\x1a\nnothing behind it \0"), null],
    [bytes("RIFF\0\0\0\0WEBPXXXX\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), null],
    [bytes("\xff\xd8\xff\xe0\xff\xff\0\0"), null],
  ] as const)
    assert.deepEqual(mediaOf(given), expected);
});

test("no bytes make the reader of headers throw or run for ever", () => {
  const heads = [
    "",
    "\x89PNG\r\n\x1a\n",
    "GIF89a",
    "\xff\xd8",
    "RIFF\0\0\0\0WEBPVP8L",
    "RIFF\0\0\0\0WEBPVP8X",
  ].map(bytes);
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), (head, rest) => {
      mediaOf(Buffer.concat([head, rest]));
    }),
  );
});
