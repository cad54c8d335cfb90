import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { keywordNameOf } from "./keyword-names.ts";
import type { PrintableForm } from "./printer.ts";

/** The deepest nesting of a value, so that it fits into a message within the reader's limit of 64. Deeper values are sent as JSON text. */
const deepest = 56;

export const nil: PrintableForm = { kind: "list", items: [] };
export const truth: PrintableForm = { kind: "symbol", name: "T", package: null };

/** A keyword of this name. */
function keywordOf(name: string): PrintableForm {
  return { kind: "keyword", name };
}

/** The form of a JSON value: an object is a property list, an array is a list, both `NIL` if empty; false and null are keywords. A number that is not a whole number of at most 53 bits becomes a string. */
export function encodeValue(value: Json, depth = 0): PrintableForm {
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
export function encodeObject(object: JsonObject, depth = 0): PrintableForm {
  const items: PrintableForm[] = [];
  for (const [key, value] of Object.entries(object)) {
    items.push(keywordOf(keywordNameOf(key)), encodeValue(value, depth + 1));
  }
  return { kind: "list", items };
}
