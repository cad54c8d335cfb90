import type { JsonObject } from "../../text/json.ts";

/** The values of an object or property list by folded key: ASCII letters in lower case, words joined by hyphens. */
export type FieldsReading<Value> =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, Value> }
  | { readonly ok: false; readonly message: string };

/** The arguments of a tool, or what is wrong with them. */
export type ToolArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string };

/** A way to write a proposal: as a property list or as a JSON object. The meaning is the same. */
export type Dialect<Value> = {
  /** The value as keys and values. Two keys that fold to the same key are refused. */
  readonly fields: (value: Value) => FieldsReading<Value>;
  /** A name: a string or, in Lisp, a keyword or symbol in lower case. Null for anything else. */
  readonly name: (value: Value) => string | null;
  /** A string; null for anything else. */
  readonly text: (value: Value) => string | null;
  /** The arguments of a tool, read by its JSON schema if there is one. */
  readonly args: (value: Value, schema: JsonObject | null) => ToolArguments;
};

/** Folds a key: `MAX-RESULTS`, `max_results` and `maxResults` become the same key. */
export function foldKey(key: string): string {
  return asciiLower(key.replace(/([a-z\d])([A-Z])/g, "$1-$2")).replaceAll("_", "-");
}

/** Lower-cases ASCII letters only, so that no similar character becomes part of a key or name. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
