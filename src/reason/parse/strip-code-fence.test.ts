import assert from "node:assert/strict";
import { test } from "node:test";
import { stripCodeFence } from "./strip-code-fence.ts";

test("a code fence around the whole text is removed, with its blanks and language", () => {
  assert.equal(stripCodeFence(" ```lisp\n(a)\n``` "), "(a)");
  assert.equal(stripCodeFence("```(a)```"), "(a)");
  assert.equal(stripCodeFence("```\n(a)\n```\nand\n```\n(b)\n```"), "```\n(a)\n```\nand\n```\n(b)\n```");
  assert.equal(stripCodeFence("```\n(a)"), "```\n(a)");
});
