import type { ToolDeclaration } from "../../signal/tool.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { guardText } from "./guard-text.ts";

/** A declaration whose texts cannot pass for a line of the program or a control token of a template. Names stay: a call needs them. */
export function guardDeclaration(declaration: ToolDeclaration): ToolDeclaration {
  const { description, parameters } = declaration;
  return { ...declaration, description: guardText(description), parameters: guardTexts(parameters) };
}

function guardTexts(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      typeof value === "string" && textKeys.has(key) ? guardText(value) : guardInside(value),
    ]),
  );
}

const textKeys: ReadonlySet<string> = new Set(["description", "title", "$comment"]);

function guardInside(value: Json): Json {
  if (isJsonArray(value)) return value.map(guardInside);
  return isJsonObject(value) ? guardTexts(value) : value;
}
