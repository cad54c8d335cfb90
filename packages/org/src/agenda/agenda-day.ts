/** Days as whole numbers since 1970-01-01, so that an agenda can count with them. Overflowing days and months go on into the next, as Emacs has it. */
export type Day = number;

const millisecondsOfDay = 86_400_000;

/** The number of a day that is given by its parts. Month 13 is January of the next year, day 30 of February is in March. */
export function dayOf(year: number, month: number, day: number): Day {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / millisecondsOfDay);
}

/** Year, month (from 1) and day of a day's number. */
export function partsOf(day: Day): { readonly year: number; readonly month: number; readonly day: number } {
  const date = new Date(day * millisecondsOfDay);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** `YYYY-MM-DD`, kept between the years 0 and 9999. */
export function formatDay(day: Day): string {
  const { year, month, day: ofMonth } = partsOf(day);
  if (year < 0) return firstDay;
  if (year > 9999) return lastDay;
  return `${`${year}`.padStart(4, "0")}-${`${month}`.padStart(2, "0")}-${`${ofMonth}`.padStart(2, "0")}`;
}

/** The first and the last day that can be written. */
const firstDay = "0000-01-01";
export const lastDay = "9999-12-31";

/** The number of a day that is written `YYYY-MM-DD`; null for anything else, and for a day that no calendar has. */
export function parseDay(text: string): Day | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return null;
  const day = dayOf(Number(match[1]), Number(match[2]), Number(match[3]));
  return formatDay(day) === text ? day : null;
}

/** 0 for a Sunday to 6 for a Saturday. */
export function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The number of the ISO week that a day is in. */
export function isoWeekOf(day: Day): number {
  const thursday = day + 3 - ((weekdayOf(day) + 6) % 7);
  return 1 + Math.floor((thursday - dayOf(partsOf(thursday).year, 1, 1)) / 7);
}

/** A day as a person writes it: `YYYY-MM-DD`, `today`, `tomorrow`, `yesterday`, or days and weeks from today such as `+3d` and `-1w`; null for anything else. */
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

/** The day of a moment where the person is, `YYYY-MM-DD`. */
export function localDay(moment: Date): string {
  return formatDay(dayOf(moment.getFullYear(), moment.getMonth() + 1, moment.getDate()));
}

/** The minutes that have passed of its day at a moment, where the person is. */
export function localMinutes(moment: Date): number {
  return moment.getHours() * 60 + moment.getMinutes();
}
