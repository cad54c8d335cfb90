import { type DayNumber, dayNumber, dayOfNumber, weekday } from "../time/calendar.ts";

/** A day as the number of days since 1970-01-01. Overflowing days and months continue in the next month or year, as in Emacs. */
export type Day = DayNumber;

/** The number of a day. Month 13 is January of the next year; February 30 is in March. */
export function dayOf(year: number, month: number, day: number): Day {
  return dayNumber({ year, month, day });
}

/** `YYYY-MM-DD`, kept between the years 0 and 9999. */
export function formatDay(day: Day): string {
  const { year, month, day: ofMonth } = dayOfNumber(day);
  if (year < 0) return firstDay;
  if (year > 9999) return lastDay;
  return `${`${year}`.padStart(4, "0")}-${`${month}`.padStart(2, "0")}-${`${ofMonth}`.padStart(2, "0")}`;
}

/** The first and the last day that can be written. */
const firstDay = "0000-01-01";
export const lastDay = "9999-12-31";

/** Parses `YYYY-MM-DD`. Null for anything else, and for a day that does not exist. */
export function parseDay(text: string): Day | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return null;
  const day = dayOf(Number(match[1]), Number(match[2]), Number(match[3]));
  return formatDay(day) === text ? day : null;
}

/** The number of the ISO week that a day is in. */
export function isoWeekOf(day: Day): number {
  const thursday = day + 3 - ((weekday(day) + 6) % 7);
  return 1 + Math.floor((thursday - dayOf(dayOfNumber(thursday).year, 1, 1)) / 7);
}

/** Parses a day as a person writes it: `YYYY-MM-DD`, `today`, `tomorrow`, `yesterday`, or an offset from today such as `+3d` or `-1w`. Null for anything else. */
export function parseRelativeDay(words: string, today: string): string | null {
  const base = parseDay(today) ?? 0;
  const named = new Map([
    ["today", 0],
    ["tomorrow", 1],
    ["yesterday", -1],
  ]).get(words);
  const shift = /^([-+]\d{1,5})([dw])$/.exec(words);
  const days = named ?? (shift === null ? null : Number(shift[1]) * (shift[2] === "w" ? 7 : 1));
  if (days !== null) return formatDay(base + days);
  return parseDay(words) === null ? null : words;
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  const number = parseDay(day) ?? 0;
  return formatDay(number - ((((number + 3) % 7) + 7) % 7));
}

/** The local day of a moment, `YYYY-MM-DD`. */
export function localDay(moment: Date): string {
  return formatDay(dayOf(moment.getFullYear(), moment.getMonth() + 1, moment.getDate()));
}

/** The minutes since local midnight at a moment. */
export function localMinutes(moment: Date): number {
  return moment.getHours() * 60 + moment.getMinutes();
}
