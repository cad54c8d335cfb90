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
