import type { Moment, Timestamp, Unit } from "./timestamp.ts";

/** Days since 1970-01-01. */
export type DayNumber = number;

type Day = Pick<Moment, "year" | "month" | "day">;

const dayLength = 86_400_000;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The number of a day. Overflow goes on into the next month or year, as in Emacs: February 30 is a day of March, month 13 is January. */
export function dayNumber({ year, month, day }: Day): DayNumber {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / dayLength;
}

/** The day of a number. */
export function dayOfNumber(number: DayNumber): Day {
  const date = new Date(number * dayLength);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 for a Sunday to 6 for a Saturday. */
export function weekday(number: DayNumber): number {
  return (((number + 4) % 7) + 7) % 7;
}

/**
 * A moment some units later, or earlier, with Org's overflow: a month after January 31 is March 2 or 3. Hours move a moment without a time
 * from midnight, and leave it without one.
 */
export function moveMoment(moment: Moment, by: number, unit: Unit): Moment {
  const { year, month, day, minute } = moment;
  const hours = (moment.hour ?? 0) + (unit === "hour" ? by : 0);
  const number =
    dayNumber({
      year: unit === "year" ? year + by : year,
      month: unit === "month" ? month + by : month,
      day: unit === "day" ? day + by : unit === "week" ? day + 7 * by : day,
    }) + Math.floor(hours / 24);
  const hour = moment.hour === null ? null : hours - 24 * Math.floor(hours / 24);
  return { ...dayOfNumber(number), hour, minute };
}

/** `2024-01-15 Mon 10:00`, as Emacs writes it where it speaks English. */
export function printMoment(moment: Moment): string {
  const { hour, minute } = moment;
  const day = printDay(moment);
  const time = hour === null ? "" : ` ${twoDigits(hour)}:${twoDigits(minute ?? 0)}`;
  return `${day} ${weekdays[weekday(dayNumber(moment))]}${time}`;
}

/** `2024-01-15`. */
export function printDay({ year, month, day }: Day): string {
  return `${`${year}`.padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** A timestamp as Emacs writes it: what its parts say, without anything else that was between its brackets. Diary stamps stay as they are. */
export function printTimestamp(stamp: Omit<Timestamp, "begin" | "end">): string {
  if (stamp.kind === "diary") return stamp.raw;
  const [open, close] = stamp.kind.startsWith("active") ? ["<", ">"] : ["[", "]"];
  const cookies = printCookies(stamp);
  const { start, last } = stamp;
  const between = (inner: string) => `${open}${inner}${cookies}${close}`;
  if (!stamp.kind.endsWith("range")) return between(printMoment(start));
  if (dayNumber(start) !== dayNumber(last) || last.hour === null || start.hour === null) {
    return `${between(printMoment(start))}--${between(printMoment(last))}`;
  }
  return between(`${printMoment(start)}-${twoDigits(last.hour)}:${twoDigits(last.minute ?? 0)}`);
}

function printCookies({ repeater, warning }: Pick<Timestamp, "repeater" | "warning">): string {
  const marks = { cumulate: "+", "catch-up": "++", restart: ".+" };
  const most = repeater?.deadline ? `/${printSpan(repeater.deadline)}` : "";
  const repeat = repeater === null ? "" : ` ${marks[repeater.type]}${printSpan(repeater)}${most}`;
  const warn = warning === null ? "" : ` ${warning.type === "all" ? "-" : "--"}${printSpan(warning)}`;
  return repeat + warn;
}

function printSpan({ value, unit }: { readonly value: number; readonly unit: Unit }): string {
  return `${value}${unit[0]}`;
}

function twoDigits(value: number): string {
  return `${value}`.padStart(2, "0");
}
