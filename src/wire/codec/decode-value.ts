import { beginOf } from "../../text/cut-text.ts";
import type { Form } from "../../text/form.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import { DecodingProblem } from "./decode-problem.ts";
import { keyOf } from "./keyword-names.ts";
import { readPlist } from "./reader.ts";

/**
 * The JSON value of a form: `T` is true, `:FALSE` and `:NULL` are false and null. A list that begins with any other keyword is an object;
 * every other list is an array. A number that JSON cannot hold becomes the string that spells it. A dotted pair is not a JSON value.
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
      throw new DecodingProblem("wrong-value", "A dotted pair is not a JSON value.", form);
  }
}

/** The JSON object of a form: a property list, or `NIL` for the empty object. */
export function jsonObjectOf(form: Form): JsonObject {
  if (form.kind === "quote") return jsonObjectOf(form.form);
  const reading = readPlist(form);
  if (!reading.ok)
    throw new DecodingProblem("not-a-plist", `An object must be a property list: ${reading.message}.`, form);
  const entries: [string, Json][] = [];
  const seen = new Set<string>();
  for (const [name, item] of reading.entries) {
    const key = keyOf(name);
    if (seen.has(key)) {
      throw new DecodingProblem(
        "not-a-plist",
        `An object has the key ${JSON.stringify(beginOf(key, 64))} twice.`,
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
