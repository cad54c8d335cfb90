import { isJsonArray, isJsonObject, type Json, type JsonObject, textsIn } from "../text/json.ts";

/** A text that the arguments of a call say, with its JSON pointer in them. */
type SaidText = { readonly path: string; readonly text: string };

/**
 * All that the arguments of a call say: whoever runs the tool gets it. The names of fields that the schema
 * of the tool describes are the tool's own.
 */
export function saidByArguments(args: JsonObject, parameters: Json): readonly SaidText[] {
  const described = new Set(describedNames(parameters));
  return textsIn(args).filter(({ text, isName }) => !isName || !described.has(text));
}

/** The names of all fields that a schema describes, however deep. */
export function describedNames(schema: Json): readonly string[] {
  if (isJsonArray(schema)) return schema.flatMap(describedNames);
  if (!isJsonObject(schema)) return [];
  const { properties } = schema;
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap(describedNames)];
}
