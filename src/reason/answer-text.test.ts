import assert from "node:assert/strict";
import { test } from "node:test";
import { bareAnswer } from "./answer-text.ts";

test("one fence around the whole is taken off, with blank space and language", () => {
  assert.equal(bareAnswer(" ```lisp\n(a)\n``` "), "(a)");
  assert.equal(bareAnswer("```(a)```"), "(a)");
  assert.equal(bareAnswer("```\n(a)\n```\nand\n```\n(b)\n```"), "```\n(a)\n```\nand\n```\n(b)\n```");
  assert.equal(bareAnswer("```\n(a)"), "```\n(a)");
});
