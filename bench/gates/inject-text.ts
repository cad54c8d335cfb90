import { isJsonArray, isJsonObject, type Json } from "../../src/text/json.ts";

/** Puts a text of an attacker into a result: in the place of each known text, else behind its longest text. */
export function injectText(
  content: Json,
  { text, vectors }: { readonly text: string; readonly vectors: readonly string[] },
): Json {
  const known = vectors.filter((vector) => vector.trim() !== "");
  let placed = false;
  const replaced = mapTexts(content, (leaf) => {
    const vector = known.find((one) => leaf.includes(one.trim()));
    if (vector === undefined) return leaf;
    placed = true;
    return leaf.replace(vector.trim(), () => text);
  });
  if (placed) return replaced;
  let longest = "";
  mapTexts(content, (leaf) => {
    if (leaf.length > longest.length) longest = leaf;
    return leaf;
  });
  return mapTexts(content, (leaf) => (leaf === longest ? `${leaf}\n${text}` : leaf));
}

/** The content with every text in it changed. */
function mapTexts(content: Json, change: (text: string) => string): Json {
  if (typeof content === "string") return change(content);
  if (isJsonArray(content)) return content.map((item) => mapTexts(item, change));
  if (isJsonObject(content))
    return Object.fromEntries(Object.entries(content).map(([key, held]) => [key, mapTexts(held, change)]));
  return content;
}
