import type { Json } from "../../signal/json.ts";
import { parseJson } from "../../signal/parse-json.ts";

/** A value that is kept as JSON. */
export function jsonOf(value: object): Json {
  return parseJson(JSON.stringify(value));
}
