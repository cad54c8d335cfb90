import { deepestWritten, isJsonObject, type Json, type JsonObject, nestsDeeper } from "../../text/json.ts";

/** One part of an answer as its provider sent it, with metadata that only that provider understands. */
export type RawPart = { readonly metadata: JsonObject | null } & (
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly argumentsText: string }
);

/** The parts of an answer as a transcript keeps them. */
export function printRaw(provider: string, model: string, parts: readonly RawPart[]): Json {
  return { provider, model, parts: parts.map((part) => ({ ...part })) };
}

/** The kept parts of an answer, if this provider and model made them; null otherwise. */
export function readRaw(raw: Json, provider: string, model: string): readonly RawPart[] | null {
  if (!isJsonObject(raw)) return null;
  const { provider: by, model: made, parts } = raw;
  if (by !== provider || made !== model || !Array.isArray(parts)) return null;
  const read = parts.map((part: Json) => readPart(part));
  return read.includes(null) ? null : read.filter((part) => part !== null);
}

function readPart(part: Json): RawPart | null {
  if (!isJsonObject(part)) return null;
  const { kind, text, id, name, argumentsText, metadata: given } = part;
  const metadata = isJsonObject(given) && !nestsDeeper(given, deepestWritten) ? given : null;
  if ((kind === "text" || kind === "thinking") && typeof text === "string") return { kind, text, metadata };
  if (kind !== "call" || typeof id !== "string" || typeof name !== "string") return null;
  return typeof argumentsText === "string" ? { kind, id, name, argumentsText, metadata } : null;
}

/** A value as JSON. What JSON cannot hold is left out, and so is what nests too deep. */
export function toJson(value: unknown, levels = deepestWritten): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || levels === 0) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => toJson(item, levels - 1));
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, toJson(item, levels - 1)]));
}
