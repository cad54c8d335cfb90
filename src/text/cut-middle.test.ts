import assert from "node:assert/strict";
import { test } from "node:test";
import { countLines, cutEnd, cutMiddle } from "./cut-middle.ts";

test("of a text whose end was cut off it is known how many lines it had, of one cut in its middle how many it has at least", () => {
  const text = Array.from({ length: 3_001 }, (_, line) => `line ${line}`).join("\n");
  assert.match(cutEnd(text, 200), /^line 0\n.* … \(\d+ characters, \d+ lines more\)$/s);
  assert.deepEqual(countLines(cutEnd(text, 200)), { lines: 3_001, isLeast: false });
  assert.deepEqual(countLines(cutEnd("one long line", 5)), { lines: 1, isLeast: false });
  assert.equal(countLines(cutMiddle(text, 200)).isLeast, true);
  assert.equal(countLines(cutEnd(cutMiddle(text, 2_000), 1_500)).isLeast, true);
});
