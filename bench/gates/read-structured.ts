import { isJsonArray, isJsonObject, type Json } from "../../src/text/json.ts";

/** Reads the recorded output of a tool: a structure where it is YAML of a list or a map, else text. Every scalar is text. */
export async function openStructureReader(): Promise<(text: string) => Json> {
  const { parse } = await import("yaml");
  const read = (text: string): Json => {
    if (!/^\s*(?:[[{]|- |[\w][\w ]{0,40}:\s)/.test(text)) return text;
    try {
      const value: unknown = parse(text, { schema: "failsafe", logLevel: "silent" });
      return typeof value === "object" && value !== null ? textual(value) : text;
    } catch {
      return text;
    }
  };
  const deep = (value: Json): Json => {
    if (typeof value === "string") return /^\s*[[{]/.test(value) ? read(value) : value;
    if (isJsonArray(value)) return value.map(deep);
    if (isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, deep(held)]));
    return value;
  };
  return (text) => deep(read(text));
}

function textual(value: unknown): Json {
  if (Array.isArray(value)) return value.map(textual);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, textual(held)]));
  return String(value ?? "");
}
