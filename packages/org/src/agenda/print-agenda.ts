import { dayOfNumber, weekday } from "../time/calendar.ts";
import { type Day, formatDay, isoWeekOf, parseDay } from "./agenda-day.ts";
import type { AgendaLine, AgendaSpan } from "./agenda-lines.ts";
import { drawHabit } from "./habit.ts";

/** The current time in minutes since midnight; the time grid marks it. */
export type PageTime = { readonly minutes: number };

/** Prints an agenda as Emacs does: a title for each day, its lines sorted, and a time grid for today if a line has a time of day. */
export function printAgenda(lines: readonly AgendaLine[], span: AgendaSpan, now: PageTime): string {
  const from = parseDay(span.from) ?? 0;
  const today = parseDay(span.today) ?? 0;
  const byDate = Map.groupBy(lines, ({ date }) => date);
  return Array.from({ length: span.days }, (_, index) => {
    const day = from + index;
    const ofDay = byDate.get(formatDay(day)) ?? [];
    const rows = ofDay.map((line) => rowOf(line, today));
    const timed = rows.some(({ timeOfDay }) => timeOfDay !== null);
    const grid = timed && (day === today || span.days === 1) ? gridRows(day === today ? now : null) : [];
    const sorted = [...grid, ...rows].toSorted(compareRows);
    return [titleOf(day), ...sorted.map(({ text }) => text.trimEnd())].join("\n");
  }).join("\n");
}

/** The lines of each day in the order in which they are printed. */
export function inPrintedOrder(lines: readonly AgendaLine[]): readonly AgendaLine[] {
  const keyed = lines.map((line) => ({ line, habit: isHabit(line), ...line }));
  return keyed
    .toSorted((left, right) => left.date.localeCompare(right.date) || compareRows(left, right))
    .map(({ line }) => line);
}

/** What lines of a day are sorted by. */
type SortKey = {
  readonly habit: boolean;
  readonly timeOfDay: number | null;
  readonly urgency: number;
};

type Row = SortKey & { readonly text: string };

const widthOfCategory = 12;
const graphColumn = 60;

function rowOf(line: AgendaLine, today: Day): Row {
  const { located, extra, shown, time, timeOfDay, urgency, type } = line;
  const { headline } = located.timestamp;
  const { habit } = headline;
  const problem = type === "problem";
  const text = `  ${`${headline.category}: `.padEnd(widthOfCategory)}${time === "" ? "" : time.padEnd(12)}${
    problem ? "! " : extra === "" ? "" : `${extra} `
  }${problem ? extra : shown}`;
  if (habit === null || habit.problem !== null) return { habit: false, timeOfDay, urgency, text };
  return {
    habit: isHabit(line),
    timeOfDay,
    urgency,
    text: `${text.padEnd(graphColumn)} ${drawHabit(habit, today)}`,
  };
}

/** Whether a line is sorted, and drawn, as a habit. */
function isHabit({ located, type }: AgendaLine): boolean {
  const { habit } = located.timestamp.headline;
  return habit !== null && habit.problem === null && type !== "timestamp";
}

const gridTimes = [800, 1000, 1200, 1400, 1600, 1800, 2000];

function gridRows(now: PageTime | null): readonly Row[] {
  const rows = gridTimes.map((time) => gridRow(time, "----------------"));
  if (now === null) return rows;
  const time = Math.floor(now.minutes / 60) * 100 + (now.minutes % 60);
  return [gridRow(time, "now - - - - - - - - - - - - - - - - - - - - - - - - -"), ...rows];
}

function gridRow(timeOfDay: number, text: string): Row {
  const time = `${Math.floor(timeOfDay / 100)}:${`${timeOfDay % 100}`.padStart(2, "0")}`.padStart(5);
  return {
    habit: false,
    timeOfDay,
    urgency: 0,
    text: `  ${" ".repeat(widthOfCategory)}${time}...... ${text}`,
  };
}

/** Lines with a time of day come first, by time; then the others by urgency; habits come last. The sort is stable. */
function compareRows(left: SortKey, right: SortKey): number {
  const noTime = 9901;
  return (
    Number(left.habit) - Number(right.habit) ||
    (left.timeOfDay ?? noTime) - (right.timeOfDay ?? noTime) ||
    right.urgency - left.urgency
  );
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Such as `Monday     15 January 2024 W03`. */
function titleOf(day: Day): string {
  const { year, month, day: ofMonth } = dayOfNumber(day);
  const ofWeek = weekday(day);
  const week = ofWeek === 1 ? ` W${`${isoWeekOf(day)}`.padStart(2, "0")}` : "";
  return `${(weekdays[ofWeek] ?? "").padEnd(10)} ${`${ofMonth}`.padStart(2)} ${months[month - 1] ?? ""} ${year}${week}`;
}
