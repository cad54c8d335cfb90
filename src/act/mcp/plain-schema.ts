import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

/**
 * What a schema is read in: the schema that its references point into, those that are followed now, and how
 * many may still be followed.
 */
type Reading = {
  readonly root: JsonObject;
  readonly within: ReadonlySet<string>;
  readonly left: { count: number };
};

/** How many references of one schema are followed: each may hold several more. */
const mostReferences = 100;

/**
 * The schema of the arguments of a tool in the part of JSON Schema that all providers take: whole requests
 * are refused for a reference that leads nowhere, an `$id`, or a word of draft 4. References are replaced by
 * what they point to, if `follows` says so; what has no form that all take is left out, so that more fits
 * it.
 */
export function plainSchema(said: JsonObject, follows = true): JsonObject {
  const left = { count: follows ? mostReferences : 0 };
  const read = readSchema(said, { root: said, within: new Set(), left });
  return { ...mergeBranches(read), type: "object" };
}

function readSchema(said: Json, reading: Reading): JsonObject {
  if (!isJsonObject(said)) return {};
  const { $ref: reference, ...own } = said;
  const whole = typeof reference === "string" ? follow(reference, reading) : {};
  const read = Object.entries(own).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
    const kept = readers.get(keyword)?.(value, reading);
    return kept === undefined ? [] : [[keyword, kept]];
  });
  return tidy({ ...whole, ...Object.fromEntries(read) }, own);
}

/** What a reference points to; anything, where it leads nowhere, elsewhere, or into itself. */
function follow(reference: string, { root, within, left }: Reading): JsonObject {
  const [place = "", path = ""] = reference.split("#", 2);
  const isHere = place === "" || place === (root["$id"] ?? root["id"]);
  const target = isHere && (path === "" || path.startsWith("/")) ? targetOf(root, path) : undefined;
  if (target === undefined || within.has(path) || left.count <= 0) return {};
  left.count -= 1;
  return readSchema(target, { root, within: new Set([...within, path]), left });
}

function targetOf(root: JsonObject, path: string): Json | undefined {
  const steps = path.split("/").slice(1);
  return steps.reduce<Json | undefined>((at, step) => {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (isJsonArray(at)) return at[Number(name)];
    return isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

function decode(step: string): string {
  return /%(?![0-9a-f]{2})/i.test(step) ? step : (decodeWhole(step) ?? step);
}

function decodeWhole(step: string): string | null {
  try {
    return decodeURIComponent(step);
  } catch {
    // Bytes that are no text name nothing.
    return null;
  }
}

type ReadKeyword = (value: Json, reading: Reading) => Json | undefined;

const types: ReadonlySet<Json> = new Set("string number integer boolean object array null".split(" "));

const readType: ReadKeyword = (value) => {
  const known = [...new Set([value].flat())].filter((one) => types.has(one));
  return known.length > 1 ? known : known[0];
};
const readMap: ReadKeyword = (value, reading) =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readSchema(one, reading)]))
    : undefined;
const readList: ReadKeyword = (value, reading) =>
  isJsonArray(value) && value.length > 0 ? value.map((one) => readSchema(one, reading)) : undefined;
/** A list of schemas is that of draft 4 for the places of a list. */
const readItems: ReadKeyword = (value, reading) => {
  const places = readList(value, reading);
  return places === undefined ? readSchema(value, reading) : { anyOf: places };
};
const readNames: ReadKeyword = (value) =>
  isJsonArray(value) ? [...new Set(value)].filter((one) => typeof one === "string") : undefined;
const readText: ReadKeyword = (value) => (typeof value === "string" ? value : undefined);
const readNumber: ReadKeyword = (value) => (typeof value === "number" ? value : undefined);
const readCount: ReadKeyword = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
const readAny: ReadKeyword = (value) => value;

const readers: ReadonlyMap<string, ReadKeyword> = new Map<string, ReadKeyword>([
  ["type", readType],
  ["description", readText],
  ["title", readText],
  ["default", readAny],
  ["const", readAny],
  ["enum", (value) => (isJsonArray(value) && value.length > 0 ? value : undefined)],
  ["properties", readMap],
  ["required", readNames],
  ["additionalProperties", (value, at) => (typeof value === "boolean" ? value : readSchema(value, at))],
  ["items", readItems],
  ["anyOf", readList],
  ["oneOf", readList],
  ["allOf", readList],
  ["not", readSchema],
  ["pattern", (value) => (typeof value === "string" && isPattern(value) ? value : undefined)],
  ["format", readText],
  ["uniqueItems", (value) => (typeof value === "boolean" ? value : undefined)],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map(
    (name) => [name, readNumber] as const,
  ),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (name) => [name, readCount] as const,
  ),
]);

function isPattern(said: string): boolean {
  try {
    return new RegExp(said, "u").source !== "";
  } catch {
    // Other languages have other patterns.
    return false;
  }
}

/**
 * What depends on two keywords: bounds of draft 4, names of properties that are not there, lists of
 * anything.
 */
function tidy(read: JsonObject, said: JsonObject): JsonObject {
  const { required, items, additionalProperties, minimum, maximum, ...rest } = read;
  const { properties, type } = read;
  const names = isJsonArray(required) && isJsonObject(properties) ? required : [];
  const known = names.filter((name) => isJsonObject(properties) && Object.hasOwn(properties, String(name)));
  const isList = type === "array" || (isJsonArray(type) && type.includes("array"));
  const bounds = {
    ...(minimum === undefined
      ? {}
      : { [said["exclusiveMinimum"] === true ? "exclusiveMinimum" : "minimum"]: minimum }),
    ...(maximum === undefined
      ? {}
      : { [said["exclusiveMaximum"] === true ? "exclusiveMaximum" : "maximum"]: maximum }),
  };
  const isOpen = additionalProperties === undefined || said["patternProperties"] !== undefined;
  return {
    ...rest,
    ...bounds,
    ...(known.length === 0 ? {} : { required: known }),
    ...(isList || items !== undefined ? { items: items ?? {} } : {}),
    ...(isOpen ? {} : { additionalProperties }),
  };
}

/**
 * No provider takes branches at the top: the properties of all are those of the whole. What only one of
 * several needs is not needed.
 */
function mergeBranches({
  allOf,
  anyOf,
  oneOf,
  not: _,
  enum: __,
  const: ___,
  ...own
}: JsonObject): JsonObject {
  const all = branchesOf(allOf);
  const some = [...branchesOf(anyOf), ...branchesOf(oneOf)];
  if (all.length + some.length === 0) return own;
  const properties = [...some, ...all, own].map((one) =>
    isJsonObject(one["properties"]) ? one["properties"] : {},
  );
  const required = [...all, own].flatMap((one) => (isJsonArray(one["required"]) ? one["required"] : []));
  return {
    ...own,
    properties: Object.fromEntries(properties.flatMap((one) => Object.entries(one))),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

function branchesOf(said: Json | undefined): readonly JsonObject[] {
  return isJsonArray(said) ? said.filter(isJsonObject).map(mergeBranches) : [];
}
