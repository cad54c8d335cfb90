import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MarkdownSplitter } from "./split-markdown.ts";

function split(...chunks: readonly string[]) {
  const splitter = new MarkdownSplitter();
  return [...chunks.flatMap((chunk) => splitter.feed(chunk)), ...splitter.end()];
}

/** What stands between two pieces that nothing but their meaning divides. */
const joint = "\n\n";

test("paragraphs, lists and code are pieces of their own", () => {
  assert.deepEqual(split("One\ntwo.\n\n- a\n\n- b\n  c\n\n```ts\nconst a = 1;\n```\nEnd."), [
    { kind: "text", text: "One\ntwo.", joint },
    { kind: "text", text: "- a\n\n- b\n  c", joint },
    { kind: "code", text: "const a = 1;", language: "ts", title: "", first: true, joint },
    { kind: "text", text: "End.", joint },
  ]);
});

test("a fence that is not closed is code to its end, and a shorter fence inside it is code", () => {
  assert.deepEqual(split("````md\n```\nx\n```\n\ny"), [
    { kind: "code", text: "```\nx\n```\n\ny", language: "md", title: "", first: true, joint },
  ]);
});

test("however the text is cut, the pieces are the same", () => {
  const line = fc.constantFrom(
    "",
    "word",
    "- item",
    "1. one",
    "  more",
    "```",
    "```ts",
    "# head",
    "| a | b |",
    "~~~",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 5 }), (lines, cuts) => {
      const text = lines.join("\n");
      const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
      assert.deepEqual(
        split(...at.map((from, index) => text.slice(from, at[index + 1] ?? from))),
        split(text),
      );
    }),
  );
});

test("no piece is long, whatever comes, and nothing of the text is lost", () => {
  const inputs = [
    "x".repeat(100_000),
    "word ".repeat(20_000),
    "- item\n".repeat(10_000),
    `\`\`\`\n${"code\n".repeat(9_000)}`,
  ];
  for (const text of inputs) {
    const pieces = split(...(text.match(/[\s\S]{1,997}/g) ?? []));
    assert.ok(Math.max(...pieces.map((piece) => piece.text.length)) < 5_000);
    const whole = pieces.map((piece, index) => `${index === 0 ? "" : piece.joint}${piece.text}`).join("");
    assert.equal(whole.trim(), text.replace("```\n", "").trim());
  }
});
