/** A value as JSON knows it. All that crosses a boundary has this shape. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a JSON array, with its items' type kept. */
function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Canonical JSON (RFC 8785's key order, no blank space): equal values give equal text. Digests are taken over it.
 * `known` may give the text of an object that was met before.
 */
export function canonical(value: Json, known?: (value: JsonObject) => string | undefined): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map((item) => canonical(item, known)).join(",")}]`;
  const before = known?.(value);
  if (before !== undefined) return before;
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonical(item, known)}`;
  }
  return `{${text}}`;
}

/** Every string in a value with its JSON pointer (RFC 6901). */
export function* strings(
  value: Json,
  path = "",
): Generator<{ readonly path: string; readonly text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) yield* strings(item, `${path}/${index}`);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* strings(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  }
}
