import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeOrgText, encodeOrgText, hasRawBytes } from "./org-text.ts";

test("any bytes are the same after decoding and encoding", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom("\r\n", "\n", "\uFEFF", "é", "😀", "�", "* a").map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const bytes = Buffer.concat(pieces);
      assert.deepEqual(encodeOrgText(decodeOrgText(bytes)), Uint8Array.from(bytes));
    }),
    { numRuns: 3000 },
  );
});

test("a file whose every line ends in CRLF has bare line feeds in its text, one with mixed ends keeps both", () => {
  assert.deepEqual(decodeOrgText(Buffer.from("\uFEFFa\r\nb\r\n")), {
    text: "a\nb\n",
    eol: "crlf",
    bom: true,
  });
  assert.deepEqual(decodeOrgText(Buffer.from("a\r\nb\n")), { text: "a\r\nb\n", eol: "lf", bom: false });
});

test("a byte that is not UTF-8 is one code unit", () => {
  const read = decodeOrgText(Buffer.from([0x61, 0xe9, 0x62]));
  assert.equal(read.text, "a\uDCE9b");
  assert.equal(hasRawBytes(read), true);
  assert.equal(hasRawBytes(decodeOrgText(Buffer.from("😀"))), false);
});

/** The longest valid character at an offset, by the platform's own decoder; null where none begins there. */
function characterAt(bytes: Uint8Array, at: number): string | null {
  for (const length of [1, 2, 3, 4]) {
    if (at + length > bytes.length) return null;
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        bytes.subarray(at, at + length),
      );
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return null;
}

test("each valid character is read as the platform reads it, and each other byte by itself, wherever they meet", () => {
  const edge = [
    0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xec, 0xed, 0xee, 0xef, 0xf0,
    0xf3, 0xf4, 0xf5, 0xff,
  ];
  const byte = fc.oneof(
    fc.constantFrom(...edge),
    fc.nat(255).filter((value) => value !== 0x0d),
  );
  const whole = fc
    .constantFrom("é", "€", "😀", "\uFFFF", "\u{10FFFF}", "�")
    .map((text) => [...Buffer.from(text)]);
  const pieces = fc.array(fc.oneof(fc.array(byte, { maxLength: 5 }), whole), { maxLength: 8 });
  fc.assert(
    fc.property(pieces, (all) => {
      const bytes = Uint8Array.from([0x61, ...all.flat()]);
      let expected = "";
      for (let at = 0; at < bytes.length; ) {
        const character = characterAt(bytes, at);
        expected += character ?? String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
        at += character === null ? 1 : Buffer.byteLength(character);
      }
      assert.equal(decodeOrgText(bytes).text, expected);
    }),
    { numRuns: 5_000 },
  );
});
