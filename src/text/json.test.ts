import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson, isSameJson, type Json, piecesIn, stringsIn, textsIn } from "./json.ts";

const json = fc.jsonValue() as fc.Arbitrary<Json>;

test("canonical JSON reads back as the same value", () => {
  fc.assert(
    fc.property(json, (value) =>
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value))),
    ),
  );
});

test("canonical JSON does not depend on the order of keys", () => {
  const shuffled = fc.uniqueArray(fc.tuple(fc.string(), json), { selector: ([key]) => key });
  fc.assert(
    fc.property(shuffled, (entries) => {
      assert.equal(
        canonicalJson(Object.fromEntries(entries)),
        canonicalJson(Object.fromEntries(entries.toReversed())),
      );
    }),
  );
});

test("every string of a value is found under its JSON pointer", () => {
  const found = [...stringsIn({ a: ["x", { "b/c~d": "y" }], n: 1, t: null })];
  assert.deepEqual(found, [
    { path: "/a/0", text: "x" },
    { path: "/a/1/b~1c~0d", text: "y" },
  ]);
});

test("all that a value says is found: strings, numbers, truths and the names of fields, alone and in the pieces of one text", () => {
  const value = { a: ["x", { "b/c": "y" }], n: 1, t: null };
  assert.deepEqual(
    textsIn(value).map(({ path, text, isName }) => [path, text, isName]),
    [
      ["/a", "a", true],
      ["/a/0", "x", false],
      ["/a/1/b~1c", "b/c", true],
      ["/a/1/b~1c", "y", false],
      ["/n", "n", true],
      ["/n", "1", false],
      ["/t", "t", true],
    ],
  );
  assert.deepEqual(
    piecesIn([
      { k: 1, text: "one" },
      { k: 2, text: "two" },
    ]).map((pieces) => pieces.join(" ")),
    ["k 1 text one k 2 text two", "k text k text", "1 one 2 two", "1 2", "one two"],
  );
});

test("the same JSON is the same in any order of keys, and nothing else is", () => {
  const values: readonly Json[] = [
    null,
    0,
    "",
    false,
    [],
    {},
    [0],
    [[0]],
    { a: 1 },
    { a: 1, b: null },
    { b: null },
  ];
  for (const [place, one] of values.entries())
    for (const [other, two] of values.entries()) assert.equal(isSameJson(one, two), place === other);
  assert.ok(isSameJson({ a: [1, { b: 2, c: 3 }], d: "x" }, { d: "x", a: [1, { c: 3, b: 2 }] }));
  assert.ok(!isSameJson({ a: 1 }, undefined) && isSameJson(undefined, undefined));
});
