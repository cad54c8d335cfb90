import { formatDuration } from "../../text/format-duration.ts";

/** A time to wait, with the clock's time at its end: `45 s (until 14:03:20)`, or with the day where it is another. */
export function formatWait(milliseconds: number, now: number): string {
  const end = new Date(now + milliseconds);
  const isToday = new Date(now).toDateString() === end.toDateString();
  const day = isToday
    ? ""
    : `${end.getFullYear()}-${twoDigits(end.getMonth() + 1)}-${twoDigits(end.getDate())} `;
  return `${formatDuration(milliseconds)} (until ${day}${end.toTimeString().slice(0, 8)})`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}
