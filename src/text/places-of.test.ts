import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { placesOf, placesOfBytes } from "./places-of.ts";

function placesByIndexOf(passage: string, text: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(passage); at !== -1 && passage !== ""; at = text.indexOf(passage, at + 1))
    found.push(at);
  return found;
}

const letters = fc.constantFrom("a", "b", "\n", "é", "😀", "\ud83d");
const texts = (maxLength: number) => fc.array(letters, { maxLength }).map((all) => all.join(""));

test("the places of a passage are those that indexOf finds", () => {
  const pieces = fc.tuple(texts(4), fc.nat(30), texts(4), fc.nat(60), texts(4));
  fc.assert(
    fc.property(pieces, ([first, often, second, more, third]) => {
      const passage = first + second.repeat(often) + third;
      const text = third + second.repeat(more) + passage + first + second.repeat(more) + passage;
      assert.deepEqual([...placesOf(passage, text)], placesByIndexOf(passage, text));
    }),
    { numRuns: 2000 },
  );
});

test("the places of bytes are those of their characters", () => {
  fc.assert(
    fc.property(texts(3), fc.nat(20), texts(60), (passage, often, text) => {
      const [one, other] = [passage.repeat(often), text + passage.repeat(often) + text];
      const found = placesByIndexOf(
        Buffer.from(one).toString("latin1"),
        Buffer.from(other).toString("latin1"),
      );
      assert.deepEqual([...placesOfBytes(Buffer.from(one), Buffer.from(other))], found);
    }),
    { numRuns: 1000 },
  );
});

/** Counts how often the units of a text are read. */
function counting(units: Uint8Array): { readonly units: Uint8Array; readonly reads: () => number } {
  let reads = 0;
  const counted = new Proxy(units, {
    get(all, name) {
      if (name === "length") return all.length;
      reads += 1;
      return all[Number(name)];
    },
  });
  return { units: counted, reads: () => reads };
}

test("each unit of a text is read a few times, however much the passage and the text repeat themselves", () => {
  const half = "a".repeat(2_000);
  for (const [passage, text] of [
    [`${half}b${half}`, "a".repeat(20_000)],
    [half, "a".repeat(20_000)],
    [`b${half}`, "a".repeat(20_000)],
    ["ab".repeat(2_000), "ab".repeat(10_000)],
  ] as const) {
    const counted = counting(Buffer.from(text));
    [...placesOfBytes(Buffer.from(passage), counted.units)].at(-1);
    assert.ok(counted.reads() <= 4 * text.length, `${counted.reads()} reads of ${text.length} units`);
  }
});
