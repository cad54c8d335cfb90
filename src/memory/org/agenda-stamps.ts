import { lastDay, writeDay } from "./agenda-day.ts";
import { inertSpans, readLines, type SectionLines } from "./agenda-places.ts";
import { type Dated, readDated, warningDays } from "./agenda-repeat.ts";
import { carriedDays, defaultWarningDays, repeats } from "./agenda-show.ts";
import type { Stamped } from "./agenda-stamp.ts";
import { type Shelf, shelfReader } from "./agenda-shelf.ts";
import { type LineTime, timesOfLine } from "./agenda-times.ts";
import { endOfLine } from "./emacs-characters.ts";
import type { Headline, Outline } from "./outline.ts";
import type { Timestamp } from "./timestamp.ts";

/** A time with the place of its headline in the outline. */
export type StampOfOutline = { readonly index: number; readonly stamped: Stamped };

export type StampOptions = {
  /** The category of a file that sets none: its name without the ending. */
  readonly category: string;
  /** Takes inactive times in the text too. */
  readonly inactive?: boolean;
};

/** All times of an outline that an agenda can show, in the order of the text, a headline's planning first. Archived and commented trees have none. */
export function stampsOf(outline: Outline, options: StampOptions): readonly StampOfOutline[] {
  if (outline.settings.tags.includes("ARCHIVE")) return [];
  const times = timesByHeadline(outline, options.inactive === true);
  const read = shelfReader(outline, options.category);
  return outline.headlines.flatMap((headline) => {
    const { planning, index } = headline;
    const found = times.get(index) ?? [];
    if (found.length === 0 && planning === null) return [];
    const shelf = read(headline);
    if (shelf.hidden) return [];
    return [
      ...planned("deadline", planning?.deadline ?? null, shelf),
      ...planned("scheduled", planning?.scheduled ?? null, shelf),
      ...found.flatMap((time) => inText(time, shelf)),
    ].map((stamped) => ({ index, stamped }));
  });
}

function planned(
  role: "deadline" | "scheduled",
  timestamp: Timestamp | null,
  { headline }: Shelf,
): readonly Stamped[] {
  if (timestamp === null || !timestamp.raw.startsWith("<")) return [];
  const dated = readDated(timestamp.raw);
  if (dated === null) return [];
  const warning = role === "deadline" && !headline.done ? warningDays(timestamp.raw, defaultWarningDays) : 0;
  const until = headline.done ? writeDay(dated.day) : lastOf(dated, dated.day + carriedDays);
  return [{ role, time: timestamp.raw, first: writeDay(dated.day - warning), last: until, headline }];
}

function lastOf({ repeater }: Dated, otherwise: number): string {
  return repeater === null ? writeDay(otherwise) : lastDay;
}

function inText({ role, raw }: LineTime, { headline }: Shelf): readonly Stamped[] {
  const stamp = { role, time: raw, headline };
  if (role === "plain") {
    const first = raw.slice(1, 11);
    return [{ ...stamp, first, last: repeats(raw) ? lastDay : first }];
  }
  const ends = raw.split(/[>\]]--?-?[<[](?=\d{4}-\d{2}-\d{2}[ >\]])/, 2).map(readDated);
  const [start, end] = ends;
  if (start === undefined || end === undefined || start === null || end === null) return [];
  return [{ ...stamp, first: writeDay(start.day), last: writeDay(end.day) }];
}

/** The times in the text of each headline's own section, by the headline's place. */
function timesByHeadline(outline: Outline, inactive: boolean): ReadonlyMap<number, readonly LineTime[]> {
  const { text, headlines } = outline;
  const found = new Map<number, LineTime[]>();
  const opening = inactive ? /[<[]\d{4}-\d{2}-\d{2}[ >\]]/g : /<\d{4}-\d{2}-\d{2}[ >\]]/g;
  let index = 0;
  let lines: SectionLines | null = null;
  opening.lastIndex = outline.sectionEnd;
  for (let hit = opening.exec(text); hit !== null; hit = opening.exec(text)) {
    let headline = headlines[index];
    while (headline !== undefined && headline.sectionEnd <= hit.index) {
      index += 1;
      lines = null;
      headline = headlines[index];
    }
    if (headline === undefined) break;
    const line = { begin: text.lastIndexOf("\n", hit.index) + 1, end: endOfLine(text, hit.index) };
    opening.lastIndex = line.end;
    if (line.begin >= headline.lineEnd)
      lines ??= readLines(text, { begin: headline.lineEnd, end: headline.sectionEnd }, headline.properties);
    const times = timesThatCount({ text, ...line, headline, lines, inactive });
    const known = found.get(index);
    if (known === undefined) found.set(index, [...times]);
    else known.push(...times);
  }
  return found;
}

type LineOfHeadline = {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly headline: Headline;
  readonly lines: SectionLines | null;
  readonly inactive: boolean;
};

function timesThatCount({
  text,
  begin,
  end,
  headline,
  lines,
  inactive,
}: LineOfHeadline): readonly LineTime[] {
  const line = text.slice(begin, end);
  const times = timesOfLine(line, { inactive });
  if (times.length === 0) return times;
  const { planning, titleRange } = headline;
  const isHeading = lines === null || begin < headline.lineEnd;
  const isPlanning = planning !== null && begin >= planning.begin && begin < planning.end;
  const kind = isHeading ? "text" : (lines?.kindAt(begin) ?? "none");
  const inert = kind === "text" ? inertSpans(line) : [];
  return times.filter(({ role, at }) => {
    if (role === "range") return kind !== "source" && kind !== "comment";
    if (isPlanning || (kind !== "text" && kind !== "property")) return false;
    if (isHeading && (begin + at < titleRange.begin || begin + at >= titleRange.end)) return false;
    return !inert.some((span) => at >= span.begin && at < span.end);
  });
}
