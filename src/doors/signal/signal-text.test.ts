import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { styledMessage } from "./signal-text.ts";

const styledText = (text: string) => styledMessage({ text, format: "markdown" });

/** The words of each style. */
const shown = (markdown: string): readonly string[] => {
  const { text, styles } = styledText(markdown);
  return [text, ...styles.map(({ from, length, style }) => `${style} ${text.slice(from, from + length)}`)];
};

test("simple Markdown becomes the styles of Signal, and all else stays as it is", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["**Done.** See `a*b*`.", ["Done. See a*b*.", "BOLD Done.", "MONOSPACE a*b*"]],
    ["*soft* and ~~gone~~", ["soft and gone", "ITALIC soft", "STRIKETHROUGH gone"]],
    ["# A heading\ntext", ["A heading\ntext", "BOLD A heading"]],
    ["2*3*4, snake_case_name, a ** b ** c", ["2*3*4, snake_case_name, a ** b ** c"]],
    [
      "```\nlet a = **b**;\n```\n**c**",
      ["```\nlet a = **b**;\n```\nc", "MONOSPACE ```", "MONOSPACE let a = **b**;", "MONOSPACE ```", "BOLD c"],
    ],
  ];
  for (const [markdown, wanted] of cases) assert.deepEqual(shown(markdown), wanted, markdown);
});

test("whatever a text holds, its styles lie within it, and it grows no longer", () => {
  const piece = fc.constantFrom("*", "**", "`", "~~", "```\n", "\n", "# ", "a", " ", "😀", "\u0000");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const markdown = pieces.join("");
      const { text, styles } = styledText(markdown);
      assert.ok(text.length <= markdown.length);
      for (const { from, length } of styles) assert.ok(length > 0 && from + length <= text.length);
    }),
  );
});

test("the outcome of a question stands below its text, and what content brings is shown as code", () => {
  const code = [{ from: 4, length: 3 }];
  const buttons = [[{ text: "✓ Yes, once", handle: null }]];
  assert.deepEqual(styledMessage({ text: "run **x**", format: "plain", code, buttons }), {
    text: "run **x**\n\n✓ Yes, once",
    styles: [{ from: 4, length: 3, style: "MONOSPACE" }],
  });
});
