import { isJsonObject, type Json } from "../text/json.ts";
import type { Action } from "./action.ts";

type Filter = (text: string) => string;

/** A value with each of its texts through the filter: keys are masked, invisible characters are made visible. */
export function maskValue(value: Json, filter: Filter): Json {
  if (typeof value === "string") return filter(value);
  if (Array.isArray(value)) return value.map((item: Json) => maskValue(item, filter));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(item, filter)]));
}

/** An action as it is shown to its owner. What runs stays as it is. */
export function maskAction({ target, payload, explanation }: Action, filter: Filter): Action {
  const shown = maskValue(payload, filter);
  return {
    target: filter(target),
    payload: isJsonObject(shown) ? shown : {},
    explanation: filter(explanation),
  };
}
