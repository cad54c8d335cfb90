import type { Range } from "../text/range.ts";
import { dayNumber, dayOfNumber, moveMoment, printMoment } from "../time/calendar.ts";
import type { Moment } from "../time/timestamp.ts";
import type { Draft } from "./draft.ts";
import type { RepeatingTimestamp } from "./find-repeating.ts";
import type { Refusal } from "./session.ts";

type Step = { readonly by: number; readonly unit: "minute" | "hour" | "day" | "month" | "year" };

/** A written timestamp: its moment, and the text after it up to the bracket. */
type Written = { readonly moment: Moment; readonly endTime: string; readonly cookies: string };

/** Shifts a timestamp by its repeater. Returns its new end. */
export function shiftRepeating(
  draft: Draft,
  stamp: RepeatingTimestamp,
  now: Moment,
): { readonly refusal: Refusal; readonly end: number } {
  const step = stepOf(stamp);
  const before = readWritten(draft.text, stamp);
  const raw = draft.text.slice(stamp.begin, stamp.end);
  if (step.unit === "hour" && !/\d{1,2}:\d\d/.test(raw)) {
    return {
      refusal: `it cannot repeat in ${stamp.count} hours, because it has no time of day`,
      end: stamp.end,
    };
  }
  const prepared = prepare(before, { stamp, step, now });
  const { moment, endTime, cookies } = shift(prepared, step);
  const text = `<${printMoment(moment)}${endTime}${cookies.replaceAll(/ --\d+[hdwmy]/g, "")}>`;
  draft.replace(stamp, text);
  return { refusal: null, end: stamp.begin + text.length };
}

/** `.+` counts from today, or now; `++` from the last date that is not after today. */
function prepare(
  written: Written,
  { stamp, step, now }: { stamp: RepeatingTimestamp; step: Step; now: Moment },
): Written {
  if (stamp.mark === ".+") {
    return step.unit === "hour"
      ? shift(written, { by: minutesBetween(written.moment, now), unit: "minute" })
      : shift(written, { by: dayNumber(now) - dayNumber(written.moment), unit: "day" });
  }
  if (stamp.mark === "+") return written;
  const behind = ({ moment }: Written) =>
    step.unit === "hour" ? minutesBetween(moment, now) >= 0 : dayNumber(now) >= dayNumber(moment);
  let next = shift(written, step);
  while (behind(next)) next = shift(next, step);
  return shift(next, { ...step, by: -step.by });
}

function stepOf({ count, unit }: RepeatingTimestamp): Step {
  switch (unit) {
    case "h":
      return { by: count, unit: "hour" };
    case "w":
      return { by: count * 7, unit: "day" };
    case "d":
      return { by: count, unit: "day" };
    case "m":
      return { by: count, unit: "month" };
    case "y":
      return { by: count, unit: "year" };
  }
}

function readWritten(text: string, { begin, end }: Range): Written {
  const raw = text.slice(begin, end);
  const [, year, month, day] = /(\d{4})-(\d\d)-(\d\d)/.exec(raw) ?? [];
  const [, hour, minute] = /^.{11,}?(\d{1,2}):(\d\d)/.exec(raw) ?? [];
  const [, extra = "", times = ""] =
    /((-[012]\d:[0-5]\d)?(?: +[.+]?-?[-+]\d+[hdwmy](?:\/\d+[hdwmy])?)*)[\]>]/.exec(raw) ?? [];
  return {
    moment: {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: hour === undefined ? null : Number(hour),
      minute: minute === undefined ? null : Number(minute),
    },
    endTime: times,
    cookies: extra.slice(times.length),
  };
}

function shift({ moment, endTime, cookies }: Written, { by, unit }: Step): Written {
  if (unit !== "minute" && unit !== "hour") return { moment: moveMoment(moment, by, unit), endTime, cookies };
  const minutes = (moment.hour ?? 0) * 60 + (moment.minute ?? 0) + (unit === "hour" ? by * 60 : by);
  const day = dayNumber(moment) + Math.floor(minutes / 1440);
  const rest = minutes - Math.floor(minutes / 1440) * 1440;
  const time = moment.hour === null ? {} : { hour: Math.floor(rest / 60), minute: rest % 60 };
  return {
    moment: { ...moment, ...dayOfNumber(day), ...time },
    endTime: shiftEnd(endTime, { by, unit }),
    cookies,
  };
}

/** The end of a time range moves along, within its day. As in Emacs, it is dropped if minutes move it by more than an hour. */
function shiftEnd(endTime: string, { by, unit }: Step): string {
  const [, hour, minute] = /^-(\d\d):(\d\d)$/.exec(endTime) ?? [];
  if (hour === undefined) return endTime;
  const minutes = Number(minute) + (unit === "minute" ? by : 0);
  const carry = minutes > 59 ? 1 : minutes < 0 ? -1 : 0;
  const rest = minutes - carry * 60;
  if (rest < 0 || rest > 59) return "";
  const hours = Number(hour) + carry + (unit === "hour" ? by : 0);
  const two = (value: number) => `${value}`.padStart(2, "0");
  return `-${two(((hours % 24) + 24) % 24)}:${two(rest)}`;
}

function minutesBetween(from: Moment, to: Moment): number {
  const minutes = (moment: Moment) =>
    dayNumber(moment) * 1440 + (moment.hour ?? 0) * 60 + (moment.minute ?? 0);
  return minutes(to) - minutes(from);
}
