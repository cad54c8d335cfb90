import assert from "node:assert/strict";
import { test } from "node:test";
import { findSetApart } from "./set-apart.ts";

/** The parts of a text that are set apart. */
function apartIn(text: string): readonly string[] {
  return findSetApart(text, []).map(({ start, end }) => text.slice(start, end));
}

test("brackets set apart what stands in them, also nested ones, and up to the end of the line where none closes", () => {
  assert.deepEqual(apartIn("a (b [c] d) e"), ["[c]", "(b [c] d)"]);
  assert.deepEqual(apartIn("a (b\nc"), ["(b"]);
  assert.deepEqual(apartIn("1) a"), []);
});

test("emphasis sets a sentence apart only as a whole, and marks inside words or of a list are none", () => {
  assert.deepEqual(apartIn("Hi! **a b.** c"), ["**a b.**"]);
  for (const text of ["a **b** c", "* a\n* b", "a_b_c", "2 * 3 * 4", "/home/a b/", "a|b|c"])
    assert.deepEqual(
      apartIn(text).filter((part) => part.includes("b")),
      text.startsWith("/") ? ["/home/a b/"] : [],
      text,
    );
});
