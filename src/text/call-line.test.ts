import assert from "node:assert/strict";
import { test } from "node:test";
import { printCallLines, readCallLines } from "./call-line.ts";

test("calls are read as they are printed, one a line; any other line makes none of the text calls", () => {
  const calls = [
    { tool: "write-file", args: { path: "a b.txt", content: 'one\n* two\n"three"\r\n' } },
    { tool: "shell", args: { cmd: "echo } {" } },
    { tool: "list-files", args: {} },
  ];
  const text = printCallLines(calls);
  assert.equal(text.split("\n").length, 3);
  assert.deepEqual(readCallLines(`\n${text}\n\n`), calls);
  for (const other of [
    "",
    "call",
    "call shell",
    "call shell [1]",
    'call shell {"cmd": "x"',
    "call me {maybe}",
    `${text}\nrun make`,
    Array.from({ length: 21 }, () => "call list-files {}").join("\n"),
  ])
    assert.equal(readCallLines(other), null, other);
});
