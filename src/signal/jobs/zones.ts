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

/** False for a name in another case, and for a distance: the system takes both for UTC. */
function isNameOfSystem(zone: string): boolean {
  const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
  const isOtherCase = timeZone !== zone && timeZone.toLowerCase() === zone.toLowerCase();
  return !/^[+-]/.test(zone) && (timeZone === "UTC" || !isOtherCase);
}

/**
 * Says that a `TZ` names no zone that is known, and which one the clock shows; null where it does, or is
 * not set.
 */
export function zoneNotice(zone: string | undefined, shown: string): string | null {
  if (zone === undefined || (isZone(zone) && isNameOfSystem(zone))) return null;
  return `TZ is '${zone}', which is no time zone that is known here, so all times are ${shown}. Set TZ to a name such as Europe/Berlin, or unset it.`;
}
