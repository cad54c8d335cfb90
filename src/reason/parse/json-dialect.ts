import { isJsonObject, type Json } from "../../text/json.ts";
import { type Dialect, foldKey } from "./dialect.ts";

/** A proposal written as a JSON object. */
export const jsonDialect: Dialect<Json> = {
  fields(value) {
    if (!isJsonObject(value)) return { ok: false, message: "is not a JSON object" };
    const fields = new Map<string, Json>();
    for (const [key, item] of Object.entries(value)) {
      const folded = foldKey(key);
      if (fields.has(folded))
        return { ok: false, message: `has the key "${key}" twice in different spelling` };
      fields.set(folded, item);
    }
    return { ok: true, fields };
  },
  name: (value) => (typeof value === "string" ? value : null),
  text: (value) => (typeof value === "string" ? value : null),
  args: (value) =>
    isJsonObject(value) ? { ok: true, args: value } : { ok: false, message: "is not a JSON object" },
};
