import assert from "node:assert/strict";
import { test } from "node:test";
import { readResult } from "./read-result.ts";

test("a result is data: structured content, or the texts, with their JSON read", () => {
  const text = (words: string) => ({ type: "text", text: words });
  assert.deepEqual(readResult({ content: [text("plain")] }), { status: "success", content: "plain" });
  assert.deepEqual(readResult({ content: [text('{"a": [1]}')] }), { status: "success", content: { a: [1] } });
  assert.deepEqual(readResult({ content: [text("[not json")] }), { status: "success", content: "[not json" });
  assert.deepEqual(readResult({ content: [text("x")], structuredContent: { verdict: "pass" } }), {
    status: "success",
    content: { verdict: "pass" },
  });
  assert.deepEqual(
    readResult({ content: [text("a"), { type: "image", data: "AAAA", mimeType: "image/png" }] }),
    {
      status: "success",
      content: ["a", "[image, image/png, 4 characters, not shown]"],
    },
  );
  assert.deepEqual(readResult({}), { status: "success", content: [] });
});

test("parts that are no text stand beside structured content, and a link or a file says what it is", () => {
  const [image, link] = [
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///etc/passwd", name: "a", description: "b\u200b", size: 3 },
  ];
  const structuredContent = { total: 1 };
  const content = [{ type: "text", text: "total: 2" }, image, link];
  assert.deepEqual(readResult({ content, structuredContent }), {
    status: "success",
    content: {
      structured: { total: 1 },
      parts: [
        "[image, image/png, 4 characters, not shown]",
        { uri: "file:///etc/passwd", name: "a", description: "b", size: 3 },
      ],
    },
  });
  assert.deepEqual(readResult({ structuredContent: { content: [image, { uri: "demo://a", blob: "AA" }] } }), {
    status: "success",
    content: {
      content: [
        "[image, image/png, 4 characters, not shown]",
        { uri: "demo://a", file: "[file, unknown type, 2 characters, not shown]" },
      ],
    },
  });
  const blob = { type: "resource", resource: { uri: "demo://a", blob: "AA==" } };
  assert.deepEqual(readResult({ content: [blob] }), {
    status: "success",
    content: { uri: "demo://a", file: "[file, unknown type, 4 characters, not shown]" },
  });
});

test("a text whose JSON nests deep stays a text, so that whoever walks a result is not exhausted", () => {
  for (const depth of [100, 129, 2000, 100_000]) {
    const deep = "[".repeat(depth) + "]".repeat(depth);
    const result = readResult({ content: [{ type: "text", text: deep }] });
    assert.ok(result.status === "success");
    assert.equal(typeof result.content === "string" || depth >= 100_000, depth > 100, String(depth));
  }
});

test("an error has one visible line, and a result that is too long is cut and says so", () => {
  const failed = readResult({
    isError: true,
    content: [{ type: "text", text: "\u001b[31mno\n\nway\u0007" }],
  });
  assert.deepEqual(failed, { status: "error", code: "server-error", message: "no way" });
  const long = readResult({ content: [{ type: "text", text: "x".repeat(2_000_000) }] });
  assert.ok(long.status === "success" && JSON.stringify(long.content).length < 1_001_000);
  assert.match(JSON.stringify(long), /x\\n\[… 1,00\d,\d{3} characters left out …\]\\nx/);
});
