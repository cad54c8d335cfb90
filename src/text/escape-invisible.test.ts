import assert from "node:assert/strict";
import { test } from "node:test";
import { codeBlanks, escapeInvisible, quoteLines } from "./escape-invisible.ts";

const blanks = (count: number): string => " ".repeat(count);

test("blanks that align a line stay blanks, and those that push what follows out of its row are counted", () => {
  for (const line of [`name${blanks(60)}size`, `${blanks(16)}return 1`, `a${blanks(20)}b${blanks(20)}c`]) {
    assert.deepEqual(quoteLines(`${line}\n`), [`    │ ${line}`]);
    assert.equal(escapeInvisible(line, codeBlanks), line);
  }
  assert.deepEqual(quoteLines(`ls${blanks(90)}; rm -r a`), ["    │ ls\\u{20}×90; rm -r a"]);
  assert.deepEqual(quoteLines(`${"表".repeat(30)}${blanks(30)}x`), [`    │ ${"表".repeat(30)}\\u{20}×30x`]);
  assert.equal(
    escapeInvisible(`${"x".repeat(90)}${blanks(25)}y`, codeBlanks),
    `${"x".repeat(90)}\\u{20}×25y`,
  );
});

test("in a name or in prose a run of blanks is counted, so that nothing looks like a column of its own", () => {
  assert.equal(escapeInvisible(`a.txt${blanks(4)}(can be undone)`), "a.txt\\u{20}×4(can be undone)");
});

test("a text of many runs of blanks is escaped in linear time", () => {
  const text = `a${blanks(30)}`.repeat(100_000);
  const shown = `a${blanks(30)}`.repeat(2) + "a\\u{20}×30".repeat(99_998);
  assert.ok(escapeInvisible(text, codeBlanks) === shown);
});
