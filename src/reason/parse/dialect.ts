import type { JsonObject } from "../../signal/json.ts";

/** The keys of one object or property list, as they are compared: ASCII letters in lower case, words joined by hyphens. */
export type FieldsReading<Value> =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, Value> }
  | { readonly ok: false; readonly message: string };

/** Arguments as a tool takes them, or what is wrong with them. */
export type ArgumentsReading =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string };

/** How a proposal is written: as a property list or as a JSON object. What it means is the same. */
export type Dialect<Value> = {
  /** The value as keys and values; two keys that fold together are refused. */
  readonly fields: (value: Value) => FieldsReading<Value>;
  /** A name: a string or, where the dialect has them, a keyword or symbol in lower case. Null for anything else. */
  readonly name: (value: Value) => string | null;
  /** A text; null for anything else. */
  readonly text: (value: Value) => string | null;
  /** The arguments of a tool, read by its JSON schema where there is one. */
  readonly args: (value: Value, schema: JsonObject | null) => ArgumentsReading;
};

/** Folds a key: `MAX-RESULTS`, `max_results` and `maxResults` are one. */
export function foldKey(key: string): string {
  return asciiLower(key.replace(/([a-z\d])([A-Z])/g, "$1-$2")).replaceAll("_", "-");
}

/** Lower case for ASCII letters only, so that no look-alike becomes a key or a name. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
