/** Whether there is a zone of this name. */
export function isZone(zone: string | undefined): zone is string {
  if (zone === undefined) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Says that a `TZ` names no zone that is known, and which one the clock shows; null where it does, or is
 * not set.
 */
export function zoneNotice(zone: string | undefined, shown: string): string | null {
  if (zone === undefined || isZone(zone)) return null;
  return `TZ is '${zone}', which is no time zone that is known here, so all times are ${shown}. Set TZ to a name such as Europe/Berlin, or unset it.`;
}
