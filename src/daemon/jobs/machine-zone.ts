import { isZone } from "../../signal/jobs/zones.ts";

/**
 * The zone of this process's clock; a fixed distance to UTC, such as `+02:00`, where its `TZ` names no zone
 * that is known.
 */
export function machineZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isZone(timeZone) && agrees(timeZone) ? timeZone : nameOf(distance(new Date()));
}

/**
 * Whether a zone shows what the process's clock shows. Of `TZ=GMT+5`, which is west of UTC, the library
 * makes a zone east of it.
 */
function agrees(timeZone: string): boolean {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  return [0, 6].every((month) => {
    const date = new Date(Date.UTC(new Date().getUTCFullYear(), month));
    const shown = format.formatToParts(date).find(({ type }) => type === "timeZoneName")?.value;
    return shown === `GMT${distance(date)}`;
  });
}

/** How far the process's clock is from UTC: `+02:00`; empty for UTC. */
function distance(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const two = (count: number): string => String(Math.floor(count)).padStart(2, "0");
  const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60];
  return minutes === 0 ? "" : `${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}

const nameOf = (far: string): string => (far === "" ? "UTC" : far);
