import type { Form } from "../../signal/form.ts";
import type { Json, JsonObject } from "../../signal/json.ts";
import { DecodingProblem } from "./decode-problem.ts";
import { keyOf } from "./keyword-names.ts";
import { readPlist } from "./reader.ts";

/**
 * The JSON value that a form is: `T` is true, `:FALSE` and `:NULL` are false and null, a list that begins with any other keyword is an object,
 * every other list an array. What JSON has no number for is the string that spells it. A dotted pair is none.
 */
export function jsonOf(form: Form): Json {
  switch (form.kind) {
    case "string":
    case "character":
    case "float":
      return form.value;
    case "integer":
      return typeof form.value === "number" ? form.value : form.value.toString();
    case "ratio":
      return `${form.numerator}/${form.denominator}`;
    case "keyword":
      if (form.name === "FALSE") return false;
      return form.name === "NULL" ? null : keyOf(form.name);
    case "symbol":
      if (form.package === null) return form.name === "T" ? true : form.name;
      return `${form.package}:${form.name}`;
    case "quote":
      return jsonOf(form.form);
    case "list":
      return beginsWithKey(form) ? jsonObjectOf(form) : form.items.map(jsonOf);
    case "dotted":
      throw new DecodingProblem("wrong-value", "A dotted pair is no JSON value.", form);
  }
}

/** The JSON object that a form is: a property list, or `NIL` for the empty one. */
export function jsonObjectOf(form: Form): JsonObject {
  if (form.kind === "quote") return jsonObjectOf(form.form);
  const reading = readPlist(form);
  if (!reading.ok)
    throw new DecodingProblem("not-a-plist", `Where an object stands, ${reading.message}.`, form);
  const entries: [string, Json][] = [];
  const seen = new Set<string>();
  for (const [name, item] of reading.entries) {
    const key = keyOf(name);
    if (seen.has(key)) {
      throw new DecodingProblem(
        "not-a-plist",
        `Two keys of an object are ${JSON.stringify(key.slice(0, 64))}.`,
        form,
      );
    }
    seen.add(key);
    entries.push([key, jsonOf(item)]);
  }
  return Object.fromEntries(entries);
}

function beginsWithKey({ items }: Extract<Form, { kind: "list" }>): boolean {
  const [first] = items;
  return first?.kind === "keyword" && first.name !== "FALSE" && first.name !== "NULL";
}
