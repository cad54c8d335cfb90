import type { LocalNow } from "../../signal/text/format-time.ts";

/** Now, as a person has it on this machine. */
export function localNow(): LocalNow {
  return { now: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
}
