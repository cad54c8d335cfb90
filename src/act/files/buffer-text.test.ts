import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bufferTextOf, bytesOfBuffer, replacementsBetween } from "./buffer-text.ts";

const lines = fc.array(fc.constantFrom("a", "b", "é😀", "* x", ""), { maxLength: 12 });
const texts = fc.tuple(lines, fc.boolean()).map(([parts, ended]) => parts.join("\n") + (ended ? "\n" : ""));

test("replacements from the last to the first make one text of the other, and none is over another", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const characters = [...before];
      let end = 0;
      const replacements = replacementsBetween(before, after);
      for (const one of replacements) {
        assert.ok(end <= one.begin && one.begin <= one.end && one.end <= characters.length);
        end = one.end;
      }
      for (const { begin, end: until, text } of replacements.toReversed())
        characters.splice(begin, until - begin, ...text);
      assert.equal(characters.join(""), after);
    }),
  );
});

test("a replacement has no more than what changes in its line", () => {
  assert.deepEqual(replacementsBetween("* 😀 buy milk\n* call\n", "* 😀 buy bread\n* call\n"), [
    { begin: 8, end: 12, text: "bread" },
  ]);
});

test("a buffer is what it is saved as, and bytes that it cannot be saved as are none of it", () => {
  for (const form of [
    { eol: "lf", bom: false },
    { eol: "crlf", bom: true },
  ] as const) {
    const bytes = bytesOfBuffer({ text: "é\nb\n", ...form });
    assert.equal(bufferTextOf(bytes, form), "é\nb\n");
  }
  assert.equal(Buffer.from(bytesOfBuffer({ text: "a\n", eol: "crlf", bom: true })).toString(), "\ufeffa\r\n");
  assert.equal(bufferTextOf(Buffer.from("a\nb\r\n"), { eol: "crlf", bom: false }), null);
  assert.equal(bufferTextOf(Buffer.from([0xff]), { eol: "lf", bom: false }), null);
});
