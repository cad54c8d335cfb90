/** A JSON value. Everything that crosses a boundary has this shape. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a JSON array; keeps the type of its items. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * How deep a value may nest that a model wrote: what is deeper would exhaust the stack of whoever walks it.
 */
export const deepestWritten = 64;

/** Whether a value nests deeper than so many levels. */
export function nestsDeeper(value: Json, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((item) => nestsDeeper(item, levels - 1));
}

/**
 * Canonical JSON (key order of RFC 8785, no blank space): equal values give equal text. Digests are computed over it.
 * `known` may return the text of an object that was printed before.
 */
export function canonicalJson(value: Json, known?: (value: JsonObject) => string | undefined): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isJsonArray(value)) {
    // A list of texts is written by the engine at once: a request names each of its messages by a digest.
    if (value.every((item) => typeof item === "string")) return JSON.stringify(value);
    return `[${value.map((item) => canonicalJson(item, known)).join(",")}]`;
  }
  const before = known?.(value);
  if (before !== undefined) return before;
  let text = "";
  for (const key of sorted(Object.keys(value))) {
    const item = value[key];
    if (item === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(item, known)}`;
  }
  return `{${text}}`;
}

/** Sorts keys by their UTF-16 code units, in place. For a few keys this is cheaper than `sort`, which allocates. */
function sorted(keys: string[]): readonly string[] {
  if (keys.length > 32) return keys.sort();
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] ?? "";
    let place = index;
    for (; place > 0 && (keys[place - 1] ?? "") > key; place -= 1) keys[place] = keys[place - 1] ?? "";
    keys[place] = key;
  }
  return keys;
}

/** A string inside a value, with its JSON pointer (RFC 6901). */
type Leaf = { readonly path: string; readonly text: string };

/** Every string in a value. */
export function stringsIn(value: Json): readonly Leaf[] {
  const leaves: Leaf[] = [];
  collect(value, "", (item, path) => {
    if (typeof item === "string") leaves.push({ path, text: item });
  });
  return leaves;
}

/** Every number in a value, with its JSON pointer. */
export function numbersIn(value: Json): readonly { readonly path: string; readonly number: number }[] {
  const leaves: { readonly path: string; readonly number: number }[] = [];
  collect(value, "", (item, path) => {
    if (typeof item === "number") leaves.push({ path, number: item });
  });
  return leaves;
}

function collect(value: Json, path: string, take: (leaf: Json, path: string) => void): void {
  if (isJsonArray(value)) {
    let index = 0;
    for (const item of value) {
      collect(item, `${path}/${index}`, take);
      index += 1;
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item !== undefined)
        collect(item, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, take);
    }
  } else take(value, path);
}

/** What a value says at a place, as text; `isName`: it is the name of the field there. */
type Said = Leaf & { readonly isName: boolean };

/**
 * Everything that a value says, as text: its strings, numbers and truths, and the names of its fields, each
 * before what it names. Who looks for what may not leave, or may not be shown, reads all of it.
 */
export function textsIn(value: Json, path = ""): readonly Said[] {
  if (value === null || value === undefined) return [];
  if (isJsonArray(value)) return value.flatMap((item, index) => textsIn(item, `${path}/${index}`));
  if (!isJsonObject(value)) return [{ path, text: String(value), isName: false }];
  return Object.entries(value).flatMap(([name, item]) => {
    const place = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return [{ path: place, text: name, isName: true }, ...textsIn(item, place)];
  });
}

/**
 * The pieces that a reader of the value may take for one text: all of them, the names of the fields, what is
 * no name, and of that what has the same name, such as the items of a list.
 */
export function piecesIn(value: Json): readonly (readonly string[])[] {
  const all = textsIn(value);
  const [names, others] = [all.filter(({ isName }) => isName), all.filter(({ isName }) => !isName)];
  const byName = Map.groupBy(others, ({ path }) => path.split("/").findLast((part) => !/^\d+$/.test(part)));
  const groups = [all, names, others, ...(byName.size > 1 ? byName.values() : [])];
  return groups.filter((group) => group.length > 1).map((group) => group.map(({ text }) => text));
}

/** Whether two values are the same JSON, in any order of keys. It stops at the first difference. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (isJsonArray(one) && isJsonArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
}
