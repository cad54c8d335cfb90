import { dayOfNumber } from "../time/calendar.ts";
import { type Day, dayOf } from "./agenda-day.ts";

/** A timestamp as the agenda reads it: its day, and how it repeats. */
export type DatedTime = {
  readonly day: Day;
  /** The day from which repetitions are counted; hours past midnight do not move it. */
  readonly start: Day;
  /** Year, month and day as they are written; the day may exceed the month's length. */
  readonly year: number;
  readonly month: number;
  readonly ofMonth: number;
  readonly hour: number;
  readonly minute: number;
  readonly repeater: { readonly value: number; readonly unit: string } | null;
};

const date = /(\d{4})-(\d{2})-(\d{2})(?: +[^\]+0-9>\r\n -]+)?(?: +(\d{1,2}):(\d{2}))?/;

/** Reads the first date of a written time, with its first repeater. */
export function readDatedTime(written: string): DatedTime | null {
  const match = date.exec(written);
  if (match === null) return null;
  const [year, month, ofMonth, hour, minute] = match.slice(1).map((part) => Number(part ?? 0));
  const repeat = /\+(\d+)([hdwmy])/.exec(written);
  const [y = 0, m = 1, d = 1, h = 0, min = 0] = [year, month, ofMonth, hour, minute];
  const start = dayOf(y, m, d);
  return {
    start,
    day: start + Math.floor((h * 60 + min) / 1440),
    year: y,
    month: m,
    ofMonth: d,
    hour: h,
    minute: min,
    repeater: repeat === null ? null : { value: Number(repeat[1]), unit: repeat[2] ?? "d" },
  };
}

/** The repetition nearest to a day on its past or future side, that day included. Without a repeater, or before the first day, the first day itself. */
export function nearestRepeat(dated: DatedTime, current: Day, side: "past" | "future"): Day {
  const { repeater, day, start } = dated;
  if (repeater === null || repeater.value === 0) return day;
  if (current <= start) return start;
  const [before, after] = neighbours(dated, { current, ...repeater });
  if (side === "past") return current === after ? after : before;
  return current === before ? before : after;
}

type Search = { readonly current: Day; readonly value: number; readonly unit: string };

/** The last repetition up to a day and the first one after it; either may be the day itself. */
function neighbours(dated: DatedTime, { current, value, unit }: Search): readonly [Day, Day] {
  const { start, year, month, ofMonth } = dated;
  const target = dayOfNumber(current);
  switch (unit) {
    case "h": {
      const missing = modulo(24 * (current - start) - dated.hour, value);
      const before = missing === 0 ? current : current - 1 - Math.floor(missing / 24);
      return [before, current + Math.floor((value - missing) / 24)];
    }
    case "m": {
      const passed = 12 * (target.year - year) + target.month - month - (target.day > ofMonth ? 0 : 1);
      const months = Math.trunc(passed / value) * value;
      return [dayOf(year, month + months, ofMonth), dayOf(year, month + months + value, ofMonth)];
    }
    case "y": {
      const reached = target.month > month || (target.month === month && target.day > ofMonth);
      const years = Math.trunc((target.year - year - (reached ? 0 : 1)) / value) * value;
      return [dayOf(year + years, month, ofMonth), dayOf(year + years + value, month, ofMonth)];
    }
    default: {
      const step = unit === "w" ? 7 * value : value;
      const before = start + step * Math.floor((current - start) / step);
      return [before, before + step];
    }
  }
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

const daysOf: ReadonlyMap<string, number> = new Map([
  ["h", 0.041667],
  ["d", 1],
  ["w", 7],
  ["m", 30.4],
  ["y", 365.25],
]);

/** The length of a warning period (`-3d`, `--3d`) in days; the default where none is written. */
export function warningDays(written: string, otherwise: number): number {
  const match = /-(\d+)([hdwmy])(?:$|>| )/.exec(written);
  return match === null ? otherwise : Math.floor(Number(match[1]) * (daysOf.get(match[2] ?? "d") ?? 1));
}

/** The length of a habit's span (`2d`, `1m`) in days; null for a unit that habits do not have, such as hours. */
export function habitDays(written: string): number | null {
  const match = /(\d+)([dwmy])/.exec(written);
  return match === null ? null : Math.floor(Number(match[1]) * (daysOf.get(match[2] ?? "d") ?? 1));
}
