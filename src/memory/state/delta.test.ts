import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { applyDelta, makeDelta } from "./delta.ts";

/** A text, and another that is made of its pieces: moved, repeated, left out, with new bytes between them. */
const related = fc
  .record({
    base: fc.uint8Array({ maxLength: 20_000, size: "max" }),
    cuts: fc.array(
      fc.record({ from: fc.nat(), length: fc.nat(8000), fresh: fc.uint8Array({ maxLength: 60 }) }),
      { maxLength: 8 },
    ),
  })
  .map(({ base, cuts }) => ({
    base,
    target: Buffer.concat(
      cuts.flatMap(({ from, length, fresh }) => {
        const start = base.length === 0 ? 0 : from % base.length;
        return [fresh, base.subarray(start, start + length)];
      }),
    ),
  }));

test("the delta of any two texts gives the second again, byte for byte", () => {
  const unrelated = fc.record({
    base: fc.uint8Array({ maxLength: 300 }),
    target: fc.uint8Array({ maxLength: 300 }),
  });
  const repetitive = fc.tuple(fc.nat(3000), fc.nat(3000), fc.nat(200)).map(([before, after, fresh]) => ({
    base: Buffer.alloc(before, "ab"),
    target: Buffer.concat([Buffer.alloc(fresh, "a"), Buffer.alloc(after, "ab")]),
  }));
  fc.assert(
    fc.property(fc.oneof(related, unrelated, repetitive), ({ base, target }) => {
      const back = applyDelta(base, makeDelta(base, target));
      assert.deepEqual(back === null ? null : Buffer.from(back), Buffer.from(target));
    }),
    { numRuns: 400 },
  );
});

test("edits in a hundred places of a large file cost about their own size", () => {
  const base = randomBytes(4_000_000);
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < base.length; start += 40_000) {
    pieces.push(base.subarray(start, start + 39_990), Buffer.from("another word"));
  }
  const target = Buffer.concat(pieces);
  const delta = makeDelta(base, target);
  assert.deepEqual(Buffer.from(applyDelta(base, delta) ?? []), target);
  assert.ok(delta.literal.length < 100 * 100, `${delta.literal.length} bytes`);
});

test("a delta that does not fit its base is refused", () => {
  const delta = makeDelta(Buffer.from("a longer base"), Buffer.from("a longer text"));
  assert.equal(applyDelta(Buffer.from("a"), delta), null);
});
