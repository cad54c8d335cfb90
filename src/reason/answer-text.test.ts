import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bareAnswer, mayBeProposal } from "./answer-text.ts";

test("one fence around the whole is taken off, with blank space and language", () => {
  assert.equal(bareAnswer(" ```lisp\n(a)\n``` "), "(a)");
  assert.equal(bareAnswer("```(a)```"), "(a)");
  assert.equal(bareAnswer("```\n(a)\n```\nand\n```\n(b)\n```"), "```\n(a)\n```\nand\n```\n(b)\n```");
  assert.equal(bareAnswer("```\n(a)"), "```\n(a)");
});

test("text is held back while it may be a proposal and let go once it cannot", () => {
  for (const text of [
    "",
    " \n",
    "(",
    "(I think",
    "{",
    "`",
    "``",
    "```",
    "```lis",
    "```lisp\n",
    "```\n (",
    "```(type",
  ]) {
    assert.ok(mayBeProposal(text), text);
  }
  for (const text of ["H", "Hello (x)", "`code`", "[1]", "```js\nconst", "```hello there"])
    assert.ok(!mayBeProposal(text), text);
});

test("no beginning of what is read as a form was let go", () => {
  const form = fc.constantFrom("(target shell)", '{"payload":1}');
  const open = fc.constantFrom("", " ", "```", "```\n", "```lisp\r\n", "\n``` \n ", "```c++ \n");
  fc.assert(
    fc.property(open, form, fc.nat(), (fence, text, length) => {
      const whole = `${fence}${text}${fence.includes("`") ? "\n```" : ""}`;
      assert.equal(bareAnswer(whole), text);
      assert.ok(mayBeProposal(whole.slice(0, length % (whole.length + 1))));
    }),
  );
});
