import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasMoreWords, keepsByEnds, WordCounts } from "./word-counts.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "ab", "word", " ", "\n", ", ", "é", "-"), { maxLength: 60 })
  .map((pieces) => Buffer.from(pieces.join("")));
const blank = Buffer.from(" ");

function counted(bytes: Uint8Array, like: WordCounts | null = null): WordCounts {
  const counts = new WordCounts(like);
  counts.add(bytes);
  counts.add(blank);
  return counts;
}

function keptShare(before: Uint8Array, after: Uint8Array): number {
  const old = counted(before);
  return old.keptIn(counted(after, old));
}

test("where texts begin and end alike, counting the words finds no less than what is known without it", () => {
  let known = 0;
  const edited = fc.tuple(text, text, text, text).map(([start, was, is, end]) => ({
    before: Buffer.concat([start, was, end]),
    after: Buffer.concat([start, is, end]),
  }));
  fc.assert(
    fc.property(edited, fc.constantFrom(0.5, 0.75), ({ before, after }, share) => {
      if (!keepsByEnds(before, after, share)) return;
      known += 1;
      assert.ok(keptShare(before, after) >= share, `${before} became ${after}`);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(known > 50, `${known}`);
});

test("an edit of a long text is known to keep it, and another text is not", () => {
  const long = Buffer.from("some words of a log\n".repeat(1_000));
  const edited = Buffer.concat([long.subarray(0, 9_000), Buffer.from("!"), long.subarray(9_020)]);
  assert.ok(keepsByEnds(long, edited, 0.75));
  assert.ok(!keepsByEnds(long, Buffer.from("some words of a log\n".repeat(100)), 0.75));
  assert.ok(!keepsByEnds(Buffer.from("x".repeat(20_000)), Buffer.from(`${"x".repeat(19_999)}y`), 0.75));
});

test("a text that has more words than another can have bytes for is not read further", async () => {
  await fc.assert(
    fc.asyncProperty(text, text, fc.constantFrom(0.1, 0.5), async (before, after, share) => {
      if (await hasMoreWords([before], (after.length + 1) / 2 / share))
        assert.ok(keptShare(before, after) < share, `${before} became ${after}`);
    }),
    { numRuns: 2_000 },
  );
  const pieces = function* (): Generator<Uint8Array> {
    yield Buffer.from("one two three ");
    throw new Error("read too far");
  };
  assert.ok(await hasMoreWords(pieces(), 2));
  assert.equal(await hasMoreWords([Buffer.from("one two "), Buffer.from("three ")], 3), false);
});
