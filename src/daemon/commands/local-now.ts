import type { LocalNow } from "../../text/format-time.ts";

/** Now, as a person has it on this machine. */
export function localNow(): LocalNow {
  return { now: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() };
}
