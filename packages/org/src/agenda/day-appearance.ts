import { type Day, formatDay } from "./agenda-day.ts";
import { type DatedTime, nearestRepeat, readDatedTime, warningDays } from "./agenda-repeat.ts";
import type { LocatedTimestamp } from "./agenda-timestamp.ts";
import { habitUrgency } from "./habit.ts";

/** A timestamp with its days. The end of a single timestamp is its start. */
export type DatedTimestamp = {
  readonly located: LocatedTimestamp;
  readonly start: DatedTime;
  readonly end: DatedTime;
  /** The text between the brackets, at the start and at the end of a range. */
  readonly inside: string;
  readonly insideEnd: string;
};

/** How a timestamp appears in the agenda of a day. */
export type DayAppearance = {
  readonly type:
    | "deadline"
    | "upcoming-deadline"
    | "scheduled"
    | "past-scheduled"
    | "block"
    | "timestamp"
    | "problem";
  /** The prefix of the text, such as `Sched. 3x: `, `In   2 d.: ` or `(2/5): `; for a problem, the message. */
  readonly extra: string;
  /** Lines without a time of day are sorted by this, highest first. */
  readonly urgency: number;
  /** See `AgendaItemSource`. */
  readonly timeIn: string | null;
  readonly withoutStamps: boolean;
};

type Days = { readonly current: Day; readonly today: Day };

/** How long a scheduled or due item is shown after its day, in days. */
export const longestOverdueDays = 10_000;
/** The default warning period before a deadline, in days. */
export const defaultWarningDays = 14;
const joint = /[>\]]--?-?[<[](?=\d{4}-\d{2}-\d{2}[ >\]])/;

/** Reads the days of a timestamp; null if it has no readable date. */
export function readDatedTimestamp(located: LocatedTimestamp): DatedTimestamp | null {
  const { role, time } = located.timestamp;
  const between = role === "range" ? joint.exec(time) : null;
  const inside = time.slice(1, between === null ? -1 : between.index);
  const insideEnd = between === null ? inside : time.slice(between.index + between[0].length, -1);
  const start = readDatedTime(inside);
  const end = between === null ? start : readDatedTime(insideEnd);
  return start === null || end === null ? null : { located, start, end, inside, insideEnd };
}

/** How a timestamp appears on a day; null if it does not. */
export function appearanceOn(stamp: DatedTimestamp, days: Days): DayAppearance | null {
  switch (stamp.located.timestamp.role) {
    case "deadline":
      return showDeadline(stamp, days);
    case "scheduled":
      return showScheduled(stamp, days);
    case "range":
      return showRange(stamp, days);
    case "plain":
      return showPlain(stamp, days);
  }
}

/** A deadline shows on its day, on each future repetition, and today while it is near or missed. */
function showDeadline(
  { located, start, inside }: DatedTimestamp,
  { current, today }: Days,
): DayAppearance | null {
  const { headline } = located.timestamp;
  const deadline = start.day;
  const onItsDay = current === deadline || current === comingRepeat(start, { current, today });
  const left = deadline - current;
  if (!onItsDay) {
    if (current !== today) return null;
    if (left > 0 ? left > warningDays(inside, defaultWarningDays) : -left > longestOverdueDays) return null;
  }
  if (headline.done && deadline !== current) return null;
  const isToday = current === today;
  const extra =
    !isToday || deadline === today
      ? "Deadline:  "
      : left > 0
        ? `In ${`${left}`.padStart(3)} d.: `
        : `${`${-left}`.padStart(2)} d. ago: `;
  return {
    type: isToday && left > 0 ? "upcoming-deadline" : "deadline",
    extra,
    urgency: headline.importance - (isToday ? left : 0),
    timeIn: onItsDay ? timeOf(inside) : null,
    withoutStamps: false,
  };
}

/** A scheduled item shows on its day, on each future repetition, and today while it is not done. */
function showScheduled(
  { located, start, inside }: DatedTimestamp,
  { current, today }: Days,
): DayAppearance | null {
  const { headline } = located.timestamp;
  const { habit } = headline;
  const scheduled = start.day;
  const onItsDay = current === scheduled || current === comingRepeat(start, { current, today });
  const passed = current - scheduled;
  if (passed < 0 || passed > longestOverdueDays || (!onItsDay && current !== today)) return null;
  const delay = warningDays(inside, 0);
  if (delay > 0 && passed < delay) return null;
  if (headline.done && passed !== 0) return null;
  if (habit !== null && (headline.done || current !== today)) return null;
  if (habit !== null && habit.problem !== null) return showProblem(habit.problem);
  return {
    type: scheduled < today ? "past-scheduled" : "scheduled",
    extra:
      habit !== null
        ? ""
        : current === today && passed > 0
          ? `Sched.${`${passed}`.padStart(2)}x: `
          : "Scheduled: ",
    urgency: habit === null ? 99 + passed + headline.importance : habitUrgency(habit, today),
    timeIn: habit !== null || onItsDay ? timeOf(inside) : null,
    withoutStamps: false,
  };
}

function showRange(
  { located, start, end, inside, insideEnd }: DatedTimestamp,
  { current }: Days,
): DayAppearance | null {
  if (current < start.day || current > end.day) return null;
  const inactive = located.timestamp.time.startsWith("[") ? "[" : "";
  const single = start.day === end.day;
  const times = [
    ...(current === start.day ? [`<${inside}>`] : []),
    ...(current === end.day ? [`<${insideEnd}>`] : []),
  ];
  return {
    type: "block",
    extra: single ? inactive : `${inactive}(${current - start.day + 1}/${end.day - start.day + 1}): `,
    urgency: located.timestamp.headline.importance,
    timeIn: times.length === 0 ? null : times.join("--"),
    withoutStamps: false,
  };
}

/** A plain timestamp shows on its day and, with a repeater at its end, on each repetition, past or future. */
function showPlain({ located, start }: DatedTimestamp, { current, today }: Days): DayAppearance | null {
  const { time, headline } = located.timestamp;
  if (time.slice(1, 11) !== formatDay(current)) {
    if (!hasAgendaRepeater(time)) return null;
    const past = nearestRepeat(start, Math.min(current, today), "past");
    const future = current <= today ? past : nearestRepeat(start, current, "future");
    if (current !== past && current !== future) return null;
  }
  const { habit } = headline;
  if (habit !== null && habit.problem !== null) return showProblem(habit.problem);
  return {
    type: "timestamp",
    extra: habit === null && time.startsWith("[") ? "[" : "",
    urgency: habit === null ? headline.importance : habitUrgency(habit, today),
    timeIn: time,
    withoutStamps: true,
  };
}

/** True if an agenda repeats a plain timestamp: its repeater stands right before the closing bracket. */
export function hasAgendaRepeater(time: string): boolean {
  return /^<\d+-\d+-\d+[^>\n]+\+\d+[hdwmy]>$/.test(time);
}

/** The repetition on or after a future day; for today and the past, the timestamp's own day. */
function comingRepeat(dated: DatedTime, { current, today }: Days): Day {
  return current <= today ? dated.day : nearestRepeat(dated, current, "future");
}

function showProblem(problem: string): DayAppearance {
  return { type: "problem", extra: problem, urgency: 0, timeIn: null, withoutStamps: false };
}

/** The part of a planning timestamp that holds its time of day; "" if there is none, so that the heading is searched. */
function timeOf(inside: string): string {
  const at = / [012]?\d:\d\d/.exec(inside)?.index;
  return at === undefined ? "" : `${inside.slice(at + 1)} `;
}
