import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../text/json.ts";
import { plainSchema } from "./plain-schema.ts";

const propertiesOf = (said: JsonObject): Json | undefined => plainSchema(said)["properties"];
const a = (schema: Json): JsonObject => ({ type: "object", properties: { a: schema } });

test("a reference is replaced by what it points to, and one that leads nowhere, elsewhere or into itself by anything", () => {
  const $defs = {
    town: { type: "string", description: "A town" },
    "odd/name": { type: "integer" },
    tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" }, name: { $ref: "#/$defs/town" } } },
  };
  const town = { type: "string", description: "A town" };
  const cases: readonly (readonly [Json, Json])[] = [
    [{ $ref: "#/$defs/town" }, town],
    [
      { $ref: "#/$defs/town", description: "Where to" },
      { type: "string", description: "Where to" },
    ],
    [{ $ref: "#/$defs/odd~1name" }, { type: "integer" }],
    [{ $ref: "#/$defs/odd%2Fname" }, { type: "integer" }],
    [{ $ref: "#/$defs/tree" }, { type: "object", properties: { next: {}, name: town } }],
    [
      { type: "array", items: { $ref: "#/$defs/town" } },
      { type: "array", items: town },
    ],
    [{ $ref: "#/$defs/gone" }, {}],
    [{ $ref: "#/$defs/__proto__/a" }, {}],
    [{ $ref: "other.json#/a", type: "string" }, { type: "string" }],
    [{ $ref: "#" }, { type: "object", properties: { a: {} } }],
  ];
  for (const [said, plain] of cases)
    assert.deepEqual(propertiesOf({ ...a(said), $defs }), { a: plain }, JSON.stringify(said));
  const byId = { $id: "https://x.example/s", ...a({ $ref: "https://x.example/s#/$defs/town" }), $defs };
  assert.deepEqual(plainSchema(byId), a(town));
  assert.deepEqual(plainSchema({ $ref: "#/$defs/whole", $defs: { whole: a(town) } }), a(town));
});

test("references that hold several others each are not followed without end", () => {
  const names = Array.from({ length: 60 }, (_, at) => `d${at}`);
  const $defs = Object.fromEntries(
    names.map((name, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [name, { type: "object", properties: { one: next, two: next } }];
    }),
  );
  const read = JSON.stringify(plainSchema({ ...a({ $ref: "#/$defs/d0" }), $defs }));
  assert.ok(read.length < 20_000, `${read.length}`);
});

test("words of draft 4, and what only some providers take, get a form that all take, or are left out", () => {
  const cases: readonly (readonly [Json, Json])[] = [
    [
      { type: "integer", minimum: 0, exclusiveMinimum: true },
      { type: "integer", exclusiveMinimum: 0 },
    ],
    [
      { type: "integer", maximum: 9, exclusiveMaximum: false },
      { type: "integer", maximum: 9 },
    ],
    [{ type: "string", required: true, id: "#a", $id: "a", $anchor: "a", "x-order": 1 }, { type: "string" }],
    [{ type: "any" }, {}],
    [{ type: ["string", "any", "null"] }, { type: ["string", "null"] }],
    [{ type: "array" }, { type: "array", items: {} }],
    [
      { type: "array", items: [{ type: "string" }, { type: "integer" }] },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
    ],
    [{ type: "string", pattern: "(?i)x[" }, { type: "string" }],
    [{ type: "string", minLength: "1", maxLength: -1 }, { type: "string" }],
    [{ enum: [], anyOf: [], default: null }, { default: null }],
    [
      { type: "object", properties: { b: true, c: null }, required: ["b", "b", "gone", 7] },
      {
        type: "object",
        properties: { b: {}, c: {} },
        required: ["b"],
      },
    ],
    [{ type: "object", patternProperties: { "^x": {} }, additionalProperties: false }, { type: "object" }],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
  ];
  for (const [said, plain] of cases)
    assert.deepEqual(propertiesOf(a(said)), { a: plain }, JSON.stringify(said));
});

test("branches at the top are one object with the properties of all", () => {
  const text = { type: "string" };
  const one = (name: string): JsonObject => ({
    type: "object",
    properties: { [name]: text },
    required: [name],
  });
  assert.deepEqual(plainSchema({ ...one("a"), anyOf: [one("b"), { required: ["a"] }], allOf: [one("c")] }), {
    type: "object",
    properties: { a: text, b: text, c: text },
    required: ["c", "a"],
  });
});

test("a plain schema stays as it is", () => {
  const plain = {
    type: "object",
    properties: { a: { type: "string", enum: ["x"] }, b: { type: "array", items: { type: "number" } } },
    required: ["a"],
    additionalProperties: false,
  };
  assert.deepEqual(plainSchema(plain), plain);
  assert.deepEqual(plainSchema(plainSchema({ allOf: [plain] })), plainSchema({ allOf: [plain] }));
});
