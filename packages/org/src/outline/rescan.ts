import type { Range } from "../text/range.ts";
import type { Timestamp } from "../time/timestamp.ts";
import { findFileKeywords } from "./file-keywords.ts";
import type { ClockLine, Headline, Outline, Planning, PropertyDrawer } from "./outline.ts";
import { scanFileDrawer } from "./scan-drawer.ts";
import { type ScanOptions, scanHeadlines, scanOutline } from "./scan-outline.ts";

/** A piece of text that takes the place of a range. */
export type TextEdit = Range & { readonly insert: string };

/**
 * The outline after an edit: the same as a new scan of the whole text gives. Only the sections that the edit touches are scanned, what comes
 * after them is moved. Where the edit changes what is set for the file, all is scanned.
 */
export function rescan(outline: Outline, edit: TextEdit, options: ScanOptions = {}): Outline {
  const text = outline.text.slice(0, edit.begin) + edit.insert + outline.text.slice(edit.end);
  const touched = touchedSections(outline, edit);
  const by = text.length - outline.text.length;
  const after = text.slice(touched.begin, touched.end + by);
  if (!setTheSame(outline.text.slice(touched.begin, touched.end), after)) return scanOutline(text, options);
  const fresh = scanHeadlines(after, outline.settings, options);
  const headlines = joinHeadlines(
    outline.headlines.slice(0, touched.first),
    [
      { headlines: fresh, by: touched.begin },
      { headlines: outline.headlines.slice(touched.last), by },
    ],
    text.length,
  );
  return {
    text,
    settings: outline.settings,
    sectionEnd: headlines[0]?.begin ?? text.length,
    properties: touched.begin === 0 ? scanFileDrawer(text) : outline.properties,
    headlines,
  };
}

/** The sections that an edit may change, as a range and as the headlines from `first` up to `last`, exclusive. */
function touchedSections(
  { text, headlines }: Outline,
  { begin, end }: Range,
): Range & { readonly first: number; readonly last: number } {
  const at = sectionAt(headlines, begin - 1);
  // An edited heading line may no longer be a heading; the section before then continues.
  const first = begin <= (headlines[at]?.lineEnd ?? -1) ? at - 1 : at;
  const last = sectionAt(headlines, end) + 1;
  return {
    begin: headlines[first]?.begin ?? 0,
    end: headlines[last]?.begin ?? text.length,
    first: Math.max(first, 0),
    last,
  };
}

/** The headline whose own section an offset is in, -1 before the first one. */
function sectionAt(headlines: readonly Headline[], at: number): number {
  let [low, high] = [0, headlines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headlines[middle]?.begin ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function setTheSame(before: string, after: string): boolean {
  const settings = (text: string) => findFileKeywords(text).map(({ key, value }) => [key, value]);
  return JSON.stringify(settings(before)) === JSON.stringify(settings(after));
}

type Part = { readonly headlines: readonly Headline[]; readonly by: number };
type Draft = { -readonly [Key in keyof Headline]: Headline[Key] };

/** Joins the headlines that stay with the parts that move behind them. Headlines that do not change stay the same objects. */
function joinHeadlines(
  staying: readonly Headline[],
  parts: readonly Part[],
  length: number,
): readonly Headline[] {
  const joined: Headline[] = staying.slice();
  const open = subtreesOpenAfter(staying);
  const close = (level: number, end: number): void => {
    for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) {
      last.end = end;
      open.pop();
    }
  };
  const reopened = [...open];
  for (const { headlines, by } of parts) {
    for (const headline of headlines) {
      close(headline.level, headline.begin + by);
      const moved = moveHeadline(headline, by);
      moved.index = joined.length;
      moved.parent = open.at(-1)?.index ?? -1;
      joined.push(moved);
      open.push(moved);
    }
  }
  close(0, length);
  for (const draft of reopened) {
    if (joined[draft.index]?.end !== draft.end) joined[draft.index] = draft;
  }
  return joined;
}

/** Copies of the ancestors of the last of some headlines, outermost first. */
function subtreesOpenAfter(headlines: readonly Headline[]): Draft[] {
  const open: Draft[] = [];
  for (let last = headlines.at(-1); last !== undefined; last = headlines[last.parent]) open.push({ ...last });
  return open.reverse();
}

/** A headline with all of its offsets moved. */
export function moveHeadline(headline: Headline, by: number): Draft {
  if (by === 0) return { ...headline };
  const { todo, priority, comment, tags, planning, properties, logbook, clocks } = headline;
  return {
    ...headline,
    begin: headline.begin + by,
    lineEnd: headline.lineEnd + by,
    sectionEnd: headline.sectionEnd + by,
    todo: todo && move(todo, by),
    priority: priority && move(priority, by),
    comment: comment && move(comment, by),
    titleRange: move(headline.titleRange, by),
    rawTitleRange: move(headline.rawTitleRange, by),
    tags: tags && move(tags, by),
    planning: planning && movePlanning(planning, by),
    properties: properties && moveDrawer(properties, by),
    logbook: logbook && move(logbook, by),
    clocks: clocks.length === 0 ? clocks : clocks.map((clock) => moveClock(clock, by)),
  };
}

function move<Moved extends Range>(range: Moved, by: number): Moved {
  return { ...range, begin: range.begin + by, end: range.end + by };
}

function movePlanning(planning: Planning, by: number): Planning {
  const { scheduled, deadline, closed } = planning;
  return {
    ...move(planning, by),
    scheduled: moveStamp(scheduled, by),
    deadline: moveStamp(deadline, by),
    closed: moveStamp(closed, by),
  };
}

function moveStamp(stamp: Timestamp | null, by: number): Timestamp | null {
  return stamp && move(stamp, by);
}

function moveClock(clock: ClockLine, by: number): ClockLine {
  return { ...move(clock, by), value: moveStamp(clock.value, by) };
}

function moveDrawer(drawer: PropertyDrawer, by: number): PropertyDrawer {
  const properties = drawer.properties.map((property) => ({
    ...move(property, by),
    nameRange: move(property.nameRange, by),
    valueRange: move(property.valueRange, by),
  }));
  return { ...move(drawer, by), properties };
}
