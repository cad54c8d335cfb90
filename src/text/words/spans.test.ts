import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeIsInside, makeOverlaps, type Span } from "./spans.ts";

const spans = fc
  .array(fc.record({ start: fc.nat(60), end: fc.nat(60) }), { maxLength: 12 })
  .map((all) =>
    all
      .map(({ start, end }): Span => ({ start: Math.min(start, end), end: Math.max(start, end) + 1 }))
      .toSorted((a, b) => a.start - b.start),
  );
const apart = spans.map((all) =>
  all.filter(({ start }, at) => all.slice(0, at).every(({ end }) => end <= start)),
);

test("the spans that a part overlaps, or lies in, are those that a look at each of them finds", () => {
  fc.assert(
    fc.property(apart, spans, spans, (disjoint, overlapping, parts) => {
      const [overlaps, isInside] = [makeOverlaps(disjoint), makeIsInside(overlapping)];
      for (const part of parts) {
        assert.deepEqual(
          overlaps(part),
          disjoint.filter(({ start, end }) => start < part.end && part.start < end),
        );
        assert.equal(
          isInside(part),
          overlapping.some(({ start, end }) => start <= part.start && part.end <= end),
        );
      }
    }),
  );
});

test("each span is looked at a few times, however many parts there are", () => {
  const count = 2_000;
  const all = Array.from({ length: count }, (_, at): Span => ({ start: 3 * at, end: 3 * at + 2 }));
  let looks = 0;
  const watched = new Proxy(all, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const overlaps = makeOverlaps(watched);
  const found = all.flatMap(({ start }) => overlaps({ start, end: start + 1 }));
  assert.equal(found.length, count);
  assert.ok(looks < 10 * count, `${looks}`);
});
