import { type Day, readDay, writeDay } from "./agenda-day.ts";
import { type AgendaItem, showItem } from "./agenda-item.ts";
import { type DatedStamp, readStamp, type Shown, showOn } from "./agenda-show.ts";
import type { FiledStamp } from "./agenda-stamp.ts";

/** One line of an agenda: a headline that shows on a day, in the words of Emacs's agenda. */
export type AgendaLine = Omit<Shown, "timeIn" | "withoutStamps"> &
  AgendaItem & { readonly date: string; readonly filed: FiledStamp };

/** The days that an agenda is asked for. What is overdue, and what is soon, shows on `today`. Days are written `YYYY-MM-DD`. */
export type AgendaSpan = { readonly from: string; readonly days: number; readonly today: string };

const roles = ["deadline", "scheduled", "range", "plain"] as const;

/**
 * The lines of an agenda: day by day, within a day file by file as they are given, and of a file its deadlines, then what is scheduled, then ranges,
 * then plain times. Times that `mayShow` denies may be left out beforehand without a difference.
 */
export function agendaFor(stamps: readonly FiledStamp[], span: AgendaSpan): readonly AgendaLine[] {
  const from = readDay(span.from);
  const today = readDay(span.today);
  if (from === null || today === null) return [];
  const files = sortStamps(stamps, { from: span.from, to: writeDay(from + span.days - 1) });
  const lines: AgendaLine[] = [];
  for (let day = from; day < from + span.days; day += 1) {
    const date = writeDay(day);
    for (const read of files) {
      const line = lineOn({ read, date, day, today });
      if (line !== null) lines.push(line);
    }
  }
  return lines;
}

/** True for a time that can show in some of the days from one to another, both included: what an index filters by. */
export function mayShow(
  { first, last }: { readonly first: string; readonly last: string },
  { from, to }: { readonly from: string; readonly to: string },
): boolean {
  return first <= to && last >= from;
}

/** The times that can show, in the order in which a day shows them. */
function sortStamps(
  stamps: readonly FiledStamp[],
  days: { readonly from: string; readonly to: string },
): readonly DatedStamp[] {
  const files = new Map<string, DatedStamp[]>();
  for (const filed of stamps) {
    if (!mayShow(filed.stamped, days)) continue;
    const read = readStamp(filed);
    if (read === null) continue;
    const known = files.get(filed.file);
    if (known === undefined) files.set(filed.file, [read]);
    else known.push(read);
  }
  return [...files.values()].flatMap((ofFile) =>
    roles.flatMap((role) => ofFile.filter(({ filed }) => filed.stamped.role === role)),
  );
}

type Asked = {
  readonly read: DatedStamp;
  readonly date: string;
  readonly day: Day;
  readonly today: Day;
};

function lineOn({ read, date, day, today }: Asked): AgendaLine | null {
  const { filed } = read;
  if (!mayShow(filed.stamped, { from: date, to: date })) return null;
  const shown = showOn(read, { current: day, today });
  if (shown === null) return null;
  const { timeIn, withoutStamps, ...line } = shown;
  const { text, inheritedTags, localTags } = filed.stamped.headline;
  return {
    ...line,
    ...showItem({ text, inheritedTags, localTags, timeIn, withoutStamps }),
    date,
    filed,
  };
}
