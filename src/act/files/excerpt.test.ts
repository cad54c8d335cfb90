import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf } from "./excerpt.ts";

test("a long line among others is shown by its head and tail, and the lines behind it are there", () => {
  const uri = `<img src="data:image/png;base64,${"QUJD".repeat(100_000)}">`;
  const page = Buffer.from(`<p>one\n${uri}\n<p>three\nfour\n`);
  const excerpt = excerptOf(page, { from: 1, maxLines: 3, maxBytes: 32_768 });
  assert.ok(excerpt.kind === "text" && excerpt.text.length < 5_000);
  assert.match(
    excerpt.text,
    /^<p>one\n<img src="data:image.*\[… \d{3},\d{3} characters left out …\].*">\n<p>three\n$/,
  );
  assert.match(excerpt.notes.join(" "), /line 2\./);
  assert.deepEqual([excerpt.to, excerpt.next, excerpt.lines], [3, 4, 4]);
});

test("a cut never falls within an emoji", () => {
  const family = "👩‍👩‍👧‍👦";
  for (const before of ["", "a", "ab"]) {
    const line = Buffer.from(`${before}${family.repeat(1_000)}\n`);
    const excerpt = excerptOf(line, { from: 1, maxLines: 1, maxBytes: 32_768 });
    assert.ok(excerpt.kind === "text");
    const shown = excerpt.text.replace(/\[… .* …\]/, "").trimEnd();
    assert.equal(shown.slice(before.length).replaceAll(family, ""), "");
  }
});
