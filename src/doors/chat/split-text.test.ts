import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitText } from "./split-text.ts";

test("no part is longer than it may be or empty, and no word is lost", () => {
  const words = fc
    .array(fc.stringMatching(/^[a-z`~ \n]{0,200}$/), { maxLength: 40 })
    .map((list) => list.join("\n\n"));
  fc.assert(
    fc.property(words, fc.integer({ min: 200, max: 600 }), (text, longest) => {
      const parts = splitText(text, longest);
      for (const part of parts) assert.ok(part.length > 0 && part.length <= longest, `${part.length}`);
      const letters = (all: string): string => all.replaceAll(/[^a-z]/g, "");
      if (!/[`~]{3}/.test(text) && letters(text) !== "") assert.equal(letters(parts.join("")), letters(text));
    }),
  );
});

test("a code block that is cut is closed, and opened again in the next part", () => {
  const code = Array.from({ length: 60 }, (_, line) => `line ${line};`).join("\n");
  const parts = splitText(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\nDone.`, 300);
  assert.ok(parts.length > 2);
  for (const part of parts) assert.equal((part.match(/^```/gm) ?? []).length % 2, 0, part);
  assert.ok(parts.slice(1, -1).every((part) => part.startsWith("```ts\n")));
});

test("a pair of surrogates is never cut", () => {
  for (const part of splitText("😀".repeat(500), 301)) assert.ok(part.isWellFormed());
});
