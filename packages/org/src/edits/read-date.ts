import { dayNumber, dayOfNumber, moveMoment, weekday } from "../time/calendar.ts";
import type { Moment, Unit } from "../time/timestamp.ts";

/** A date that a person wrote. `endTime` is the end of a time range, such as `-11:00`. */
export type WrittenDate = { readonly moment: Moment; readonly endTime: string };

type Day = Pick<Moment, "year" | "month" | "day">;
type Time = Pick<Moment, "hour" | "minute"> & { readonly endTime: string };

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const relative = /^\s*([-+]{1,2})(\d+)?([hdwmy]|sun|mon|tue|wed|thu|fri|sat)?(?=\s|$)/i;
const time = /(?<![\d+:])([012]?\d)(?::([0-5]\d))?\s?(am|pm)\b|(?<![\d:])([012]?\d):([0-5]\d)(?::\d\d)?/i;
const until = /(\d:\d\d)-{1,2}([012]?\d):([0-5]\d)/;

/**
 * Reads a date as Emacs's date prompt does: `2024-02-01`, with a time `10:00` or times `10:00-11:30`, a timestamp, `+2d` from today, `++1w` from the
 * date that it replaces, `.`, a weekday (the next), `5/30`, `30.5.`, `Feb 3`, week `2024-w05-2`. Null for what it cannot make out.
 */
export function readDate(
  value: string,
  { now, old }: { readonly now: Moment; readonly old: Moment | null },
): WrittenDate | null {
  const text = value.trim() === "." ? "+0" : value.replaceAll(/[<>[\]]/g, " ").trim();
  const moved = relative.exec(text);
  const rest = moved === null ? text : text.slice(moved[0].length);
  const times = readTime(rest);
  if (moved !== null) return move(moved, { now, old, times });
  const day = readDay(rest, now) ?? (times === null ? null : now);
  if (day === null || !isDay(day)) return null;
  return {
    moment: { ...pick(day), hour: times?.hour ?? null, minute: times?.minute ?? null },
    endTime: times?.endTime ?? "",
  };
}

function move(
  [, sign = "+", count, what = "d"]: RegExpExecArray,
  { now, old, times }: { now: Moment; old: Moment | null; times: Time | null },
): WrittenDate {
  const from = sign.length === 2 && old !== null ? old : now;
  const by = Number(count ?? 1) * (sign.endsWith("-") ? -1 : 1);
  const hour = times?.hour ?? null;
  const minute = times?.minute ?? null;
  const endTime = times?.endTime ?? "";
  const wanted = weekdays.indexOf(what.toLowerCase());
  if (wanted !== -1) {
    const days = daysTo(wanted, { from, by: Number(count ?? 1), back: sign.endsWith("-") });
    return { moment: { ...dayOfNumber(dayNumber(from) + days), hour, minute }, endTime };
  }
  if (what === "h") {
    const start = {
      ...from,
      hour: hour ?? from.hour ?? now.hour,
      minute: minute ?? from.minute ?? now.minute,
    };
    return { moment: moveMoment(start, by, "hour"), endTime };
  }
  return { moment: { ...pick(moveMoment(from, by, unitOf(what))), hour, minute }, endTime };
}

function daysTo(wanted: number, { from, by, back }: { from: Day; by: number; back: boolean }): number {
  const ahead = (7 + wanted - weekday(dayNumber(from))) % 7 || 7;
  const first = back ? (ahead === 7 ? -7 : ahead - 7) : ahead;
  return first + (by > 1 ? (by - 1) * (back ? -7 : 7) : 0);
}

function unitOf(letter: string): Unit {
  switch (letter.toLowerCase()) {
    case "w":
      return "week";
    case "m":
      return "month";
    case "y":
      return "year";
    default:
      return "day";
  }
}

function readTime(text: string): Time | null {
  const found = time.exec(text);
  if (found === null) return null;
  const [, hour12, minute12, half, hour24, minute24] = found;
  const [, , endHour, endMinute] = until.exec(text) ?? [];
  const endTime = endHour === undefined ? "" : `-${endHour.padStart(2, "0")}:${endMinute}`;
  if (hour24 !== undefined) return { hour: Number(hour24), minute: Number(minute24), endTime };
  const pm = half?.toLowerCase() === "pm";
  const hour = (Number(hour12) % 12) + (pm ? 12 : 0);
  return { hour, minute: Number(minute12 ?? 0), endTime };
}

function readDay(text: string, now: Moment): Day | null {
  return readWeek(text, now) ?? readNumbers(text, now) ?? readWords(text, now);
}

function readNumbers(text: string, now: Moment): Day | null {
  const iso = /^(?:(\d+)-)?([01]?\d)-([0-3]?\d)(?![-\d])/.exec(text);
  if (iso !== null) return dayOf(now, { year: iso[1], month: iso[2], day: iso[3] });
  const dotted = /^(3[01]|0?[1-9]|[12]\d)\. ?(0?[1-9]|1[012])\.(?: ?([1-9]\d{3}))?/.exec(text);
  if (dotted !== null) return dayOf(now, { year: dotted[3], month: dotted[2], day: dotted[1] });
  const american = /^(0?[1-9]|1[012])\/(0?[1-9]|[12]\d|3[01])(?:\/(\d+))?(?![/\d])/.exec(text);
  return american === null ? null : dayOf(now, { year: american[3], month: american[1], day: american[2] });
}

function dayOf(
  now: Moment,
  { year, month, day }: { year: string | undefined; month: string | undefined; day: string | undefined },
): Day {
  const written = Number(year ?? now.year);
  return { year: written < 100 ? 2000 + written : written, month: Number(month), day: Number(day) };
}

function readWeek(text: string, now: Moment): Day | null {
  const found = /\b(?:(\d+)-)?w(\d{1,2})(?:-([0-6]))?(?=\s|$)/i.exec(text);
  if (found === null) return null;
  const year = found[1] === undefined ? now.year : dayOf(now, { year: found[1], month: "1", day: "1" }).year;
  const fourth = dayNumber({ year, month: 1, day: 4 });
  const monday = fourth - ((weekday(fourth) + 6) % 7) + (Number(found[2]) - 1) * 7;
  const day = found[3] === undefined ? 1 : Number(found[3]);
  return dayOfNumber(monday + ((day + 6) % 7));
}

/** `3 Feb`, `February 3 2025`, `fri`. */
function readWords(text: string, now: Moment): Day | null {
  const words = text.toLowerCase().match(/[a-z]+|\d+(?!\d*:)/g) ?? [];
  const month = words.map((word) => months.indexOf(word.slice(0, 3))).find((at) => at !== -1);
  const named = words.map((word) => weekdays.indexOf(word.slice(0, 3))).find((at) => at !== -1);
  if (month === undefined) {
    if (named === undefined) return null;
    const today = dayNumber(now);
    return dayOfNumber(today + ((named - weekday(today) + 7) % 7));
  }
  const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
  const day = numbers.find((number) => number <= 31) ?? now.day;
  const year =
    numbers.find((number) => number > 31) ??
    (month + 1 < now.month || (month + 1 === now.month && day < now.day) ? now.year + 1 : now.year);
  return { year, month: month + 1, day };
}

function pick({ year, month, day }: Day): Day {
  return { year, month, day };
}

function isDay({ year, month, day }: Day): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && year >= 1000 && year <= 9999;
}
