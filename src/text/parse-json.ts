import type { Json } from "./json.ts";

/** The value of a JSON text; null where the text is no JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
