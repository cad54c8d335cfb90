import assert from "node:assert/strict";
import { test } from "node:test";
import { firstLine } from "./first-line.ts";

test("a reason is the first line, and a long one is cut behind a whole word", () => {
  assert.equal(firstLine("It needs your yes.\nMore."), "It needs your yes.");
  const cut = firstLine("every word whole ".repeat(30));
  assert.match(cut, /^(?:every word whole ){11}every word …$/);
  assert.equal(firstLine("x".repeat(500), 2_000), "x".repeat(500));
  assert.ok(firstLine("x".repeat(500)).length <= 202);
});
