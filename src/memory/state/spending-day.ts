import { isJsonObject, type Json } from "../../text/json.ts";

/** The beginning of a day, in the machine's time zone. Unix milliseconds. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

/** By how many microdollars the owner raised the caps of today, as it is kept. */
export function raisedBy(kept: Json, now: number): number {
  if (!isJsonObject(kept) || kept["day"] !== startOfDay(now)) return 0;
  const { microdollars } = kept;
  return typeof microdollars === "number" && microdollars > 0 ? microdollars : 0;
}
