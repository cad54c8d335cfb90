import fc from "fast-check";
import type { Json, JsonObject } from "../../text/json.ts";
import type { Choice, Fields, Shape } from "./schema.ts";

const text = fc.string({ unit: "binary", maxLength: 40 });
const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const integer = fc.maxSafeInteger().map((number) => (number === 0 ? 0 : number));
const key = fc.oneof(
  fc.constantFrom("path", "PATH", "maxResults", "false", "null", "=", "=x", "", "__proto__", "a b", "é", "ß"),
  fc.string({ unit: "binary", maxLength: 10 }),
);

/** JSON values that the wire gives back as they are: without fractions, and without empty objects inside. */
const anyValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<Json>(null, true, false),
    text,
    integer,
    fc.array(tie("value"), { maxLength: 4 }),
    objectsOf(tie("value"), 1),
  ),
})).value;

/** Every message that a schema lets through, with every key that may be there or not. */
export function anyMessage(schema: Choice): fc.Arbitrary<JsonObject> {
  return fc.oneof(...[...schema.of].map(([case_, fields]) => anyFields(fields, { schema, case_ })));
}

function anyOf(shape: Shape): fc.Arbitrary<Json> {
  switch (shape.kind) {
    case "text":
      return text;
    case "integer":
      return integer;
    case "truth":
      return fc.boolean();
    case "word":
      return word;
    case "words":
      return fc.array(word, { maxLength: 3 });
    case "value":
      return anyValue;
    case "object":
      return objectsOf(anyValue, 0);
    case "objects":
      return fc.array(objectsOf(anyValue, 0), { maxLength: 3 });
    case "plist":
      return anyFields(shape.fields);
    case "plists":
      return fc.array(anyFields(shape.fields), { maxLength: 3 });
    case "choice":
      return anyMessage(shape);
  }
}

type Chosen = { readonly schema: Choice; readonly case_: string };

function anyFields(fields: Fields, chosen: Chosen | null = null): fc.Arbitrary<JsonObject> {
  const isChosen = (name: string): boolean =>
    chosen !== null && chosen.schema.by.find((by) => fields.byName.has(by.toUpperCase())) === name;
  const model = Object.fromEntries(
    fields.all.map((field): [string, fc.Arbitrary<Json>] => [
      field.key,
      isChosen(field.key) ? fc.constant(chosen?.case_ ?? "") : anyOf(field.shape),
    ]),
  );
  const requiredKeys = fields.all.filter((field) => field.required).map((field) => field.key);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

function objectsOf(value: fc.Arbitrary<Json>, minLength: number): fc.Arbitrary<JsonObject> {
  return fc
    .array(fc.tuple(key, value), { minLength, maxLength: 4 })
    .map((entries): JsonObject => Object.fromEntries(entries));
}
