import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wholeDiff } from "../../signal/file-diff.ts";
import { applyDiff } from "./apply-diff.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "b",
        "* c",
        "@@ -1 +1 @@",
        "\\ No newline at end of file",
        "-x",
        "+x",
        "\r",
        "\ufeff",
      ),
      fc.string(),
    ),
  )
  .chain((lines) =>
    fc.constantFrom("\n", "").map((end) => lines.map((line) => line.replaceAll("\0", "")).join("\n") + end),
  );

test("a whole diff makes exactly the text that it was made for, and no other text takes it", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const diff = wholeDiff(bytes(before), bytes(after));
      if (diff === null) return;
      if (diff === "") return assert.equal(before, after);
      assert.equal(applyDiff(before, diff), after);
    }),
    { numRuns: 2000 },
  );
});

test("a diff is not applied where a line is not as it says", () => {
  const diff = wholeDiff(bytes("a\nb\nc\n"), bytes("a\nB\nc\n")) ?? "";
  assert.equal(applyDiff("a\nb\nc\n", diff), "a\nB\nc\n");
  for (const other of ["a\nB\nc\n", "a\nb\nx\n", "", "a\nb\nc", "a\r\nb\r\nc\r\n"])
    assert.equal(applyDiff(other, diff), null);
});
