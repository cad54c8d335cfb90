import type { Json } from "../../text/json.ts";

/** Parses JSON. Throws a `SyntaxError` for any other text. */
export function parseJsonOrThrow(text: string): Json {
  const parsed: unknown = JSON.parse(text);
  return parsed as Json;
}
