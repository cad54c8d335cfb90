import type { Json } from "../../text/json.ts";
import { parseJson } from "../../text/parse-json.ts";

/** A value that is kept as JSON. */
export function jsonOf(value: object): Json {
  return parseJson(JSON.stringify(value));
}
