import { beginOf } from "../../../text/cut-text.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../text/json.ts";

/** What is wrong with the arguments, in words; null where nothing is. */
export function argumentProblem({ properties, required }: JsonObject, args: JsonObject): string | null {
  const known = isJsonObject(properties) ? properties : {};
  const missing = (isJsonArray(required) ? required : []).find((name) => !Object.hasOwn(args, String(name)));
  if (missing !== undefined) return `the argument ${String(missing)} is missing`;
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!isJsonObject(schema)) return `it has no argument ${beginOf(name, 60)}`;
    if (!fits(value, schema)) return `${name} is no ${String(schema["type"])} as it is declared`;
  }
  return null;
}

function fits(value: Json, { type, enum: choices, items }: JsonObject): boolean {
  if (isJsonArray(choices) && !choices.includes(value)) return false;
  if (type === "array")
    return isJsonArray(value) && value.every((each) => !isJsonObject(items) || fits(each, items));
  return type === "integer" ? Number.isSafeInteger(value) : typeof value === type;
}
