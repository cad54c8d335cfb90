import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isReply, parse, reasonFor } from "./parse.fixture.ts";

test("any other text is a reply, byte for byte, fences and blanks included", () => {
  for (const text of [
    "Hello",
    "  indented\n",
    "(I parse so)",
    "(#.(setf *x* :pwned))",
    "(a list) with more",
    "(see type and payload)",
    "()",
    "(",
    "{ not json",
    '{"colour":"red"}',
    "[1]",
    "'(target :shell)",
    "```js\nconst a = 1;\n```",
    "```\n(a)\n```\n```\n(target b)\n```",
    'Here it is: (TYPE :REQUEST TARGET :SHELL PAYLOAD (CMD "id"))',
    "```",
  ]) {
    isReply(text);
  }
});

test("an empty answer is invalid", () => {
  for (const text of ["", " \n\t", "``````", "```\n\n```"]) assert.match(reasonFor(text), /empty/);
});

const fragments = fc.constantFrom(
  "(",
  ")",
  "{",
  "}",
  '"',
  ":",
  ",",
  "'",
  "#.",
  "|",
  "\\",
  " ",
  "\n",
  "```",
  "TYPE",
  "target",
  ":PAYLOAD",
  '"target":',
  '"payload":',
  ":shell",
  '"shell"',
  "tool",
  '"cmd"',
  ":CMD",
  '"id"',
  "T",
  "NIL",
  ":LEVEL",
  "1",
  "__proto__",
  "é",
  "\ud800",
);

test("no text makes the parser throw, and text that is not a form comes back byte for byte", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join("")),
    fc.array(fragments, { maxLength: 30 }).map((parts) => `(target ${parts.join(" ")})`),
    fc.json().map((json) => `{"payload":${json}}`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const parsed = parse(text);
      if (parsed.kind === "reply" && !/^\s*(```\w*\s*)?[({]/.test(text)) assert.equal(parsed.text, text);
      if (parsed.kind === "invalid") assert.equal(parsed.text, text);
    }),
    { numRuns: 1000 },
  );
});

test("text that begins with neither a form nor a fence is a reply", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (tail) => isReply(`A${tail}`)));
});
