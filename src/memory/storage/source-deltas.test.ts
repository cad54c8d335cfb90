import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { packSources, unpackSources } from "./source-deltas.ts";

const source = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  path: fc.constantFrom("", "/text"),
});
const sources = fc.uniqueArray(source, { selector: ({ id, path }) => `${id}${path}` });

test("a list of sources that was packed is the same when it is unpacked, whatever list was before it", () => {
  fc.assert(
    fc.property(sources, sources, (before, now) => {
      assert.equal(JSON.stringify(unpackSources(before, packSources(before, now))), JSON.stringify(now));
    }),
  );
});

test("a list that grew by a source says only that source", () => {
  const before = Array.from({ length: 32 }, (_, index) => ({ id: `turn-${index}`, path: "/text" }));
  const added = { id: "turn-32", path: "/text" };
  assert.deepEqual(packSources(before, [...before.slice(1), added]), { parts: [[1, 31], added] });
});
