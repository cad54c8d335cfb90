import type { Day } from "./agenda-day.ts";
import { habitDays, readDatedTime } from "./agenda-repeat.ts";
import type { Habit } from "./agenda-timestamp.ts";

/** A habit without a problem. */
export type ValidHabit = Extract<Habit, { readonly problem: null }>;

/** What a habit is read from: its title, its SCHEDULED timestamp, and the days on which it was done according to its log. */
export type HabitSource = {
  readonly title: string;
  readonly scheduled: string | null;
  readonly doneDays: readonly Day[];
};

/** Reads a habit, or reports why it cannot be read. */
export function readHabit({ title, scheduled, doneDays }: HabitSource): Habit {
  const dated = scheduled === null ? null : readDatedTime(scheduled);
  if (scheduled === null || dated === null) return { problem: `Habit ${title} has no scheduled date` };
  const repeat = /<\d{4}-\d\d-\d\d [^>\n]*?([.+]?\+\d+[hdwmy](?:\/\d+[hdwmy])?)/.exec(scheduled)?.[1];
  if (repeat === undefined) {
    return { problem: `Habit ‘${title}’ has no scheduled repeat period or has an incorrect one` };
  }
  const repeatDays = habitDays(repeat);
  if (repeatDays === null) return { problem: `Invalid duration string: ${repeat}` };
  if (repeatDays === 0) return { problem: `Habit ${title} scheduled repeat period is less than 1d` };
  const until = /\/(\d+[dwmy])/.exec(repeat)?.[1];
  const deadlineDays = until === undefined ? null : habitDays(until);
  if (deadlineDays !== null && deadlineDays <= repeatDays) {
    return {
      problem: `Habit ${title} deadline repeat period is less than or equal to scheduled (${repeat})`,
    };
  }
  return { problem: null, scheduled: dated.day, repeatDays, deadlineDays, doneDays };
}

/** The urgency of a habit, which grows with the days that it is due or overdue. */
export function habitUrgency(habit: ValidHabit, today: Day): number {
  const { scheduled } = habit;
  const deadline = deadlineOf(habit, scheduled);
  const late = today - (deadline - 1);
  return (
    1000 +
    (today - scheduled) * 10 +
    (scheduled !== deadline && today === deadline ? 50 : 0) +
    late * (late > 0 ? 100 : 10)
  );
}

function deadlineOf({ repeatDays, deadlineDays }: ValidHabit, scheduled: Day): Day {
  return deadlineDays === null ? scheduled : scheduled + deadlineDays - repeatDays;
}

const daysBefore = 21;
const daysAfter = 7;

/**
 * The days around today as a line of marks: `*` it was done, `!` today, `.` it should be done, `x` it is late, and nothing where it need not be done
 * yet. From three weeks ago to a week ahead.
 */
export function drawHabit(habit: ValidHabit, today: Day): string {
  const done = [...habit.doneDays].toSorted((one, other) => one - other);
  let last = done.filter((day) => day < today - daysBefore).at(-1);
  let marks = "";
  for (let day = today - daysBefore; day <= today + daysAfter; day += 1) {
    if (done.includes(day)) {
      last = day;
      marks += "*";
    } else marks += day === today ? "!" : markOf(habit, day, last);
  }
  return `[${marks}]`;
}

function markOf(habit: ValidHabit, day: Day, last: Day | undefined): string {
  const later = habit.doneDays.some((done) => done > day);
  if (last === undefined && later) return " ";
  const due = last === undefined || !later ? habit.scheduled : last + habit.repeatDays;
  if (day < due) return " ";
  return day <= deadlineOf(habit, due) ? "." : "x";
}
