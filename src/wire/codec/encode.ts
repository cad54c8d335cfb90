import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { keywordNameOf } from "./keyword-names.ts";
import { type PrintableForm, printForm } from "./printer.ts";
import type { Choice, Fields, Shape } from "./schema.ts";

/**
 * The deepest nesting of a value, so that it fits into a message within the reader's limit of 64. Deeper
 * values are sent as JSON text.
 */
const deepest = 56;

const nil: PrintableForm = { kind: "list", items: [] };
const truth: PrintableForm = { kind: "symbol", name: "T", package: null };

/** A keyword of this name. */
function keywordOf(name: string): PrintableForm {
  return { kind: "keyword", name };
}

/**
 * The form of a JSON value: an object is a property list, an array is a list, both `NIL` if empty; false and
 * null are keywords. A number that is not a whole number of at most 53 bits becomes a string.
 */
function encodeValue(value: Json, depth = 0): PrintableForm {
  if (value === null) return keywordOf("NULL");
  if (value === true) return truth;
  if (value === false) return keywordOf("FALSE");
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "number") {
    return Number.isSafeInteger(value)
      ? { kind: "integer", value }
      : { kind: "string", value: String(value) };
  }
  if (depth >= deepest) return { kind: "string", value: JSON.stringify(value) };
  if (isJsonObject(value)) return encodeObject(value, depth);
  return { kind: "list", items: value.map((item) => encodeValue(item, depth + 1)) };
}

/** The property list of a JSON object. */
function encodeObject(object: JsonObject, depth = 0): PrintableForm {
  const items: PrintableForm[] = [];
  for (const [key, value] of Object.entries(object)) {
    items.push(keywordOf(keywordNameOf(key)), encodeValue(value, depth + 1));
  }
  return { kind: "list", items };
}

/** Makes an encoder of the messages of one end. Throws for a message or key that the schema does not know: a fault of this program. */
export function makeEncoder(shape: Choice): (message: JsonObject) => string {
  return (message) => printForm(encodeAs(shape, message, "message"));
}

function encodeAs(shape: Shape, value: Json, key: string): PrintableForm {
  switch (shape.kind) {
    case "text":
      if (typeof value === "string") return { kind: "string", value };
      throw wrong(key, "a string");
    case "integer":
      if (typeof value === "number" && Number.isSafeInteger(value)) return { kind: "integer", value };
      throw wrong(key, "a whole number");
    case "truth":
      if (typeof value === "boolean") return value ? truth : nil;
      throw wrong(key, "true or false");
    case "word":
      return encodeWord(value, key);
    case "words":
      return { kind: "list", items: itemsOf(value, key).map((item) => encodeWord(item, key)) };
    case "value":
      return encodeValue(value);
    case "object":
      return encodeObject(objectIn(value, key));
    case "objects":
      return {
        kind: "list",
        items: itemsOf(value, key).map((item) =>
          encodeObject(renameKeys(objectIn(item, key), shape.renamed)),
        ),
      };
    case "plist":
      return encodeFields(shape.fields, objectIn(value, key), key);
    case "plists":
      return {
        kind: "list",
        items: itemsOf(value, key).map((item) => encodeFields(shape.fields, objectIn(item, key), key)),
      };
    case "choice":
      return encodeChoice(shape, objectIn(value, key), key);
  }
}

function encodeWord(value: Json, key: string): PrintableForm {
  if (typeof value !== "string") throw wrong(key, "a word");
  return { kind: "keyword", name: keywordNameOf(value) };
}

function encodeChoice(shape: Choice, object: JsonObject, key: string): PrintableForm {
  const by = shape.by.find((name) => Object.hasOwn(object, name)) ?? "";
  const word = object[by];
  const fields = typeof word === "string" ? shape.of.get(word) : undefined;
  if (fields === undefined) {
    throw new TypeError(
      `The ${key} cannot be sent: its ${shape.by.join(" or ")} is not one of ${[...shape.of.keys()].join(", ")}.`,
    );
  }
  return encodeFields(fields, object, key);
}

function encodeFields({ all }: Fields, object: JsonObject, key: string): PrintableForm {
  const items: PrintableForm[] = [];
  let left = Object.keys(object).length;
  for (const field of all) {
    const value = Object.hasOwn(object, field.key) ? object[field.key] : undefined;
    if (value !== undefined || Object.hasOwn(object, field.key)) left -= 1;
    if (value === undefined || (value === null && field.shape.kind !== "value")) {
      if (field.required) throw wrong(field.key, "there");
      continue;
    }
    items.push(field.form, encodeAs(field.shape, value, field.key));
  }
  if (left > 0) {
    const known = new Set(all.map((field) => field.key));
    const unknown = Object.keys(object).filter((name) => !known.has(name));
    throw new TypeError(`The ${key} cannot be sent: its schema has no key ${unknown.join(", ")}.`);
  }
  return { kind: "list", items };
}

function renameKeys(object: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [renamed.get(key) ?? key, value]));
}

function objectIn(value: Json, key: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw wrong(key, "an object");
}

function itemsOf(value: Json, key: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw wrong(key, "an array");
}

function wrong(key: string, wanted: string): TypeError {
  return new TypeError(`The message cannot be sent: its ${key} is not ${wanted}.`);
}
