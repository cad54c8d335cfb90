import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { codePointOffsets } from "./code-point-offsets.ts";

test("an offset counts the characters before it, in any order of questions, and a text is asked for once", () => {
  const units = fc.array(fc.constantFrom("a", "\n", "é", "😀", "\ud83d", "\ude00", "𝒳"), { maxLength: 30 });
  fc.assert(
    fc.property(units, fc.array(fc.nat(40)), (parts, offsets) => {
      const text = parts.join("");
      let asked = 0;
      const offsetOf = codePointOffsets(() => {
        asked += 1;
        return text;
      });
      for (const offset of offsets.map((one) => Math.min(one, text.length)))
        assert.equal(offsetOf("a.org", offset), Array.from(text.slice(0, offset)).length);
      assert.equal(asked, Math.min(1, offsets.length));
    }),
  );
});

test("100,000 offsets of a long text are found, which would take hours if each read the text", () => {
  const lines = 100_000;
  const text = "😀 words\n".repeat(lines);
  const offsetOf = codePointOffsets(() => text);
  for (let line = 0; line < lines; line += 1) assert.equal(offsetOf("a.org", line * 9), line * 8);
});
