import type { Outline } from "../outline/outline.ts";
import type { Timestamp } from "../time/timestamp.ts";
import { formatDay, lastDay } from "./agenda-day.ts";
import { type DatedTime, readDatedTime, warningDays } from "./agenda-repeat.ts";
import { timesByHeadline } from "./agenda-text-times.ts";
import type { LineTime } from "./agenda-times.ts";
import type { AgendaTimestamp } from "./agenda-timestamp.ts";
import { defaultWarningDays, hasAgendaRepeater, longestOverdueDays } from "./day-appearance.ts";
import { type HeadlineContext, headlineContextReader } from "./headline-context.ts";

/** A timestamp with the index of its headline in the outline. */
export type OutlineTimestamp = { readonly index: number; readonly timestamp: AgendaTimestamp };

export type AgendaTimestampOptions = {
  /** The category of a file that sets none: its name without the ending. */
  readonly category: string;
  /** Include inactive timestamps in the text. */
  readonly inactive?: boolean;
};

/** All timestamps of an outline that an agenda can show, in the order of the text, a headline's planning first. Archived and commented subtrees have none. */
export function agendaTimestamps(
  outline: Outline,
  options: AgendaTimestampOptions,
): readonly OutlineTimestamp[] {
  if (outline.settings.tags.includes("ARCHIVE")) return [];
  const times = timesByHeadline(outline, { inactive: options.inactive === true, objectsOnly: false });
  if (times.size === 0 && outline.headlines.every(({ planning }) => planning === null)) return [];
  const read = headlineContextReader(outline, options.category);
  return outline.headlines.flatMap((headline) => {
    const { planning, index } = headline;
    const found = times.get(index) ?? [];
    if (found.length === 0 && planning === null) return [];
    const shelf = read(headline);
    if (shelf.hidden) return [];
    return [
      ...planned("deadline", { outline, timestamp: planning?.deadline ?? null, shelf }),
      ...planned("scheduled", { outline, timestamp: planning?.scheduled ?? null, shelf }),
      ...found.flatMap((time) => inText(time, shelf)),
    ].map((timestamp) => ({ index, timestamp }));
  });
}

type Planned = {
  readonly outline: Outline;
  readonly timestamp: Timestamp | null;
  readonly shelf: HeadlineContext;
};

function planned(
  role: "deadline" | "scheduled",
  { outline: { text }, timestamp, shelf: { headline } }: Planned,
): readonly AgendaTimestamp[] {
  if (timestamp === null || !timestamp.raw.startsWith("<")) return [];
  // Emacs's agenda finds a planning keyword only if a space follows it; with a tab it does not show.
  let before = timestamp.begin - 1;
  while (text[before] === " ") before -= 1;
  if (text[before] !== ":") return [];
  const dated = readDatedTime(timestamp.raw);
  if (dated === null) return [];
  const warning = role === "deadline" && !headline.done ? warningDays(timestamp.raw, defaultWarningDays) : 0;
  const until = headline.done ? formatDay(dated.day) : lastOf(dated, dated.day + longestOverdueDays);
  const first = formatDay(Math.min(dated.day, dated.start) - warning);
  return [{ role, time: timestamp.raw, first, last: until, headline }];
}

function lastOf({ repeater }: DatedTime, otherwise: number): string {
  return repeater === null ? formatDay(otherwise) : lastDay;
}

function inText({ role, raw }: LineTime, { headline }: HeadlineContext): readonly AgendaTimestamp[] {
  const stamp = { role, time: raw, headline };
  if (role === "plain") {
    const first = raw.slice(1, 11);
    return [{ ...stamp, first, last: hasAgendaRepeater(raw) ? lastDay : first }];
  }
  const ends = raw.split(/[>\]]--?-?[<[](?=\d{4}-\d{2}-\d{2}[ >\]])/, 2).map(readDatedTime);
  const [start, end] = ends;
  if (start === undefined || end === undefined || start === null || end === null) return [];
  return [{ ...stamp, first: formatDay(start.day), last: formatDay(end.day) }];
}
