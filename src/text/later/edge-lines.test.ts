import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { edgeLines } from "./edge-lines.ts";

test("the lines at both ends of a text are those that splitting it gives", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "\n", "\r", "\r\n", "😀"), { maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.nat(8), (pieces, reach) => {
      const text = pieces.join("");
      const all = text === "" ? [] : text.split(/(?<=[\r\n])/);
      const starts = all.map((_, index) => all.slice(0, index).join("").length);
      const expected = all.flatMap((line, index) =>
        index < reach || index >= all.length - reach ? [{ line, start: starts[index] }] : [],
      );
      assert.deepEqual(edgeLines(text, reach), expected);
    }),
    { numRuns: 1000 },
  );
});
