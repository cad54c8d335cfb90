import { type Day, formatDay, parseDay } from "./agenda-day.ts";
import { type AgendaItem, formatAgendaItem } from "./agenda-item.ts";
import type { LocatedTimestamp } from "./agenda-timestamp.ts";
import {
  appearanceOn,
  type DatedTimestamp,
  type DayAppearance,
  readDatedTimestamp,
} from "./day-appearance.ts";

/** One line of an agenda: a headline on a day, in the words of Emacs's agenda. */
export type AgendaLine = Omit<DayAppearance, "timeIn" | "withoutStamps"> &
  AgendaItem & { readonly date: string; readonly located: LocatedTimestamp };

/** The days of an agenda, written `YYYY-MM-DD`. Overdue items and warnings show on `today`. */
export type AgendaSpan = { readonly from: string; readonly days: number; readonly today: string };

const roles = ["deadline", "scheduled", "range", "plain"] as const;

/**
 * The lines of an agenda: day by day, within a day file by file as they are given, and of a file its deadlines, then what is scheduled, then ranges,
 * then plain times. Times that `mayShow` denies may be left out beforehand without a difference.
 */
export function agendaFor(stamps: readonly LocatedTimestamp[], span: AgendaSpan): readonly AgendaLine[] {
  const from = parseDay(span.from);
  const today = parseDay(span.today);
  if (from === null || today === null) return [];
  const files = sortStamps(stamps, { from: span.from, to: formatDay(from + span.days - 1) });
  const lines: AgendaLine[] = [];
  for (let day = from; day < from + span.days; day += 1) {
    const date = formatDay(day);
    for (const read of files) {
      const line = lineOn({ read, date, day, today });
      if (line !== null) lines.push(line);
    }
  }
  return lines;
}

/**
 * True if a timestamp can show on a day between two days, both included. An index can filter by this.
 * @internal
 */
export function mayShow(
  { first, last }: { readonly first: string; readonly last: string },
  { from, to }: { readonly from: string; readonly to: string },
): boolean {
  return first <= to && last >= from;
}

/** The timestamps that can show, in the order of a day's lines. */
function sortStamps(
  stamps: readonly LocatedTimestamp[],
  days: { readonly from: string; readonly to: string },
): readonly DatedTimestamp[] {
  const files = new Map<string, DatedTimestamp[]>();
  for (const located of stamps) {
    if (!mayShow(located.timestamp, days)) continue;
    const read = readDatedTimestamp(located);
    if (read === null) continue;
    const known = files.get(located.file);
    if (known === undefined) files.set(located.file, [read]);
    else known.push(read);
  }
  return [...files.values()].flatMap((ofFile) =>
    roles.flatMap((role) => ofFile.filter(({ located }) => located.timestamp.role === role)),
  );
}

type Asked = {
  readonly read: DatedTimestamp;
  readonly date: string;
  readonly day: Day;
  readonly today: Day;
};

function lineOn({ read, date, day, today }: Asked): AgendaLine | null {
  const { located } = read;
  if (!mayShow(located.timestamp, { from: date, to: date })) return null;
  const shown = appearanceOn(read, { current: day, today });
  if (shown === null) return null;
  const { timeIn, withoutStamps, ...line } = shown;
  const { text, inheritedTags, localTags } = located.timestamp.headline;
  return {
    ...line,
    ...formatAgendaItem({ text, inheritedTags, localTags, timeIn, withoutStamps }),
    date,
    located,
  };
}
