import type { Form, PlistReading } from "../../text/form.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { asciiLower, type Dialect, foldKey, type ToolArguments } from "./dialect.ts";

type ReadPlist = (form: Form) => PlistReading;

/** A proposal written as a property list. `plist` is the Lisp reader's, as a port. */
export function plistDialect(plist: ReadPlist): Dialect<Form> {
  return {
    fields(form) {
      const reading = plist(form);
      if (!reading.ok) return { ok: false, message: `is not a property list: ${reading.message}` };
      const fields = new Map<string, Form>();
      for (const [key, item] of reading.entries) {
        const folded = foldKey(asciiLower(key));
        if (fields.has(folded))
          return { ok: false, message: `has the key ${key} twice in different spelling` };
        fields.set(folded, item);
      }
      return { ok: true, fields };
    },
    name: (form) => {
      if (form.kind === "string") return form.value;
      if (form.kind === "keyword") return asciiLower(form.name);
      return form.kind === "symbol" && form.package === null ? asciiLower(form.name) : null;
    },
    text: (form) => (form.kind === "string" ? form.value : null),
    args: (form, schema) => argumentsOf(plist, form, schema),
  };
}

/** `NIL` for an argument that is neither a boolean, an array nor an object: the argument is absent. */
const absent = Symbol("absent");

function argumentsOf(plist: ReadPlist, form: Form, schema: JsonObject | null): ToolArguments {
  const reading = plist(form);
  if (!reading.ok) return { ok: false, message: `is not a property list: ${reading.message}` };
  const properties = isJsonObject(schema?.["properties"]) ? schema["properties"] : {};
  const names = new Map(Object.keys(properties).map((name) => [foldKey(name), name]));
  const args = new Map<string, Json>();
  for (const [key, item] of reading.entries) {
    const name = names.get(foldKey(key)) ?? names.get(foldKey(asciiLower(key))) ?? camelCaseName(key);
    if (args.has(name)) return { ok: false, message: `has the key ${key} twice in different spelling` };
    const property = properties[name];
    const value = jsonOf(plist, item, isJsonObject(property) ? property : null);
    if (value instanceof InvalidArgument) return { ok: false, message: `has ${key}, which ${value.message}` };
    if (value !== absent) args.set(name, value);
  }
  return args.has("__proto__")
    ? { ok: false, message: "has the key __proto__, which is not allowed" }
    : { ok: true, args: Object.fromEntries(args) };
}

/** The name of an argument that the schema does not have: `MAX-RESULTS` is `maxResults`; a name with lower-case letters was in bars and is unchanged. */
function camelCaseName(key: string): string {
  if (/[a-z]/.test(key)) return key;
  return asciiLower(key).replace(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

class InvalidArgument {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function jsonOf(
  plist: ReadPlist,
  form: Form,
  schema: JsonObject | null,
): Json | typeof absent | InvalidArgument {
  switch (form.kind) {
    case "string":
    case "character":
      return form.value;
    case "float":
      return form.value;
    case "integer":
      return typeof form.value === "number"
        ? form.value
        : new InvalidArgument("is too large for a number: write it as a string");
    case "keyword":
      return keywordValue(form.name);
    case "symbol":
      return form.name === "T" && form.package === null
        ? true
        : new InvalidArgument("is a bare symbol: write text in double quotes");
    case "list":
      return listValue(plist, form, schema);
    case "dotted":
    case "quote":
    case "ratio":
      return new InvalidArgument(`is a ${form.kind}, which is not allowed in arguments`);
  }
}

function keywordValue(name: string): Json {
  switch (name) {
    case "TRUE":
      return true;
    case "FALSE":
      return false;
    case "NULL":
      return null;
    default:
      return asciiLower(name);
  }
}

function listValue(
  plist: ReadPlist,
  form: Extract<Form, { kind: "list" }>,
  schema: JsonObject | null,
): Json | typeof absent | InvalidArgument {
  const types = typesOf(schema);
  if (form.items.length === 0) {
    if (types.has("boolean")) return false;
    if (types.has("array") || schema === null) return [];
    return types.has("object") ? {} : absent;
  }
  if (types.has("object") && form.items[0]?.kind === "keyword") {
    const reading = argumentsOf(plist, form, schema);
    return reading.ok ? reading.args : new InvalidArgument(reading.message);
  }
  const element = isJsonObject(schema?.["items"]) ? schema["items"] : null;
  const values: Json[] = [];
  for (const item of form.items) {
    const value = jsonOf(plist, item, element);
    if (value instanceof InvalidArgument) return value;
    values.push(value === absent ? null : value);
  }
  return values;
}

function typesOf(schema: JsonObject | null): ReadonlySet<string> {
  const one = schema?.["type"];
  const many = Array.isArray(one) ? one : [one];
  return new Set(many.filter((type: Json | undefined) => typeof type === "string"));
}
