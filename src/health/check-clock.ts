import { priceTableDay } from "../reason/providers/price-table.ts";
import { zoneNotice } from "../signal/jobs/zones.ts";
import { formatDuration } from "../text/format-duration.ts";
import type { HealthCheck } from "./health-check.ts";

/** Milliseconds that a clock may have been set back by a time server without a word. */
const tolerance = 120_000;

/** The times of the last entry of the journal and of the latest one, in Unix milliseconds; null for none. */
export type Recorded = { readonly last: number | null; readonly latest: number | null };

/** The times of a journal without entries. */
export const nothingRecorded: Recorded = { last: null, latest: null };

/**
 * Checks the clock by what cannot lie in the future: this version's own table of prices, and the entries of
 * the journal.
 */
export function checkClock(now: number, { last, latest }: Recorded): HealthCheck {
  const built = Date.parse(priceTableDay);
  const known = Math.max(built, last ?? 0);
  if (now < known - tolerance) {
    const what = known === last ? "the last entry of the journal" : "this version of the program";
    return finding(
      `the clock of this machine is ${formatDuration(known - now)} behind ${what}. Budgets, deadlines and the agenda go by it. Set it right, for example with: timedatectl set-ntp true`,
    );
  }
  if (latest !== null && now < latest - tolerance)
    return finding(
      `entries of the journal are up to ${formatDuration(latest - now)} ahead of the clock of this machine, and later ones are not: it was ahead when they were made. If it is right now, nothing is to be done: what was recorded then stays dated in the future`,
    );
  return { name: "clock", result: "ok", text: "not before anything that was recorded" };
}

/**
 * Says which zone the clock shows where `TZ` names none that is known, such as the rules of a zone in the
 * form of POSIX.
 */
export function checkZone(zone: string | undefined, shown: string): readonly HealthCheck[] {
  const notice = zoneNotice(zone, shown);
  return notice === null ? [] : [finding(notice)];
}

/** How the clock of this process shows times: `UTC`, or a fixed distance to it such as `UTC+2`. */
export function shownZone(): string {
  const hours = -new Date().getTimezoneOffset() / 60;
  return hours === 0 ? "UTC" : `UTC${hours < 0 ? "" : "+"}${hours}`;
}

function finding(text: string): HealthCheck {
  return { name: "clock", result: "finding", text };
}
