import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { htmlText } from "./html-text.ts";

test("tags are removed, blocks become lines, blank space is folded", () => {
  assert.equal(htmlText("<ul><li>one</li><li>two  <b>bold</b></li></ul>a < b"), "one\n\ntwo bold\n\na < b");
});

test("an element that never closes is dropped, and no input throws", () => {
  assert.equal(htmlText("before<script>alert(1)"), "before");
  assert.equal(htmlText("before<!-- never"), "before");
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("<", ">", "/", "!", "-", "a", "script", "&", "#", ";", "1", " ") }),
      (html) => typeof htmlText(html) === "string",
    ),
  );
});

test("a hostile megabyte is read in one pass", () => {
  for (const piece of ["<", "<script", "<!--", "<script></script", "&#", "<a", " \t"]) {
    assert.equal(typeof htmlText(piece.repeat(1_000_000 / piece.length)), "string");
  }
});
