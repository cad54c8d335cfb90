import type { Json } from "../../signal/json.ts";

/** How deep a message of a server may nest: what is deeper would exhaust the stack of whoever walks it. */
export const deepestMessage = 128;

/** Whether a value nests deeper than so many levels. */
export function nestsDeeper(value: Json, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((item) => nestsDeeper(item, levels - 1));
}
