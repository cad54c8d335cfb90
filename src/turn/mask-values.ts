import type { Action } from "../signal/action.ts";
import { isJsonObject, type Json } from "../signal/json.ts";

type Filter = (text: string) => string;

/** A value with each of its texts through the owner's filter: keys are masked, what does not show is made visible. */
export function maskValue(value: Json, filter: Filter): Json {
  if (typeof value === "string") return filter(value);
  if (Array.isArray(value)) return value.map((item: Json) => maskValue(item, filter));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(item, filter)]));
}

/** An action as its owner is shown it. What runs is not changed by it. */
export function maskAction({ target, payload, explanation }: Action, filter: Filter): Action {
  const shown = maskValue(payload, filter);
  return {
    target: filter(target),
    payload: isJsonObject(shown) ? shown : {},
    explanation: filter(explanation),
  };
}
