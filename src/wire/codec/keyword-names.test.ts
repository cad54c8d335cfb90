import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keyOf, keywordNameOf } from "./keyword-names.ts";

test("every key can be recovered from its name, and no two keys have the same name", () => {
  const near = fc.stringMatching(/^[aA=é ]{0,4}$/);
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ unit: "binary" })), (key) =>
      assert.equal(keyOf(keywordNameOf(key)), key),
    ),
    { numRuns: 2000 },
  );
});

test("no key has the name of a value", () => {
  for (const key of ["false", "null", "FALSE", "NULL", "False"]) {
    assert.ok(!["FALSE", "NULL"].includes(keywordNameOf(key)), key);
  }
});
