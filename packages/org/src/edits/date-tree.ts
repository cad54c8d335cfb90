import { skipSpaceBack } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import { dayNumber, printDay, weekday } from "../time/calendar.ts";
import type { Moment } from "../time/timestamp.ts";
import type { Marker } from "./draft.ts";
import { type EditSession, headlineInTree } from "./session.ts";
import { endOfOrg } from "./subtree.ts";

const months = ["January", "February", "March", "April", "May", "June"].concat([
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]);
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const year = /^([12]\d{3})$/;
const month = /^([12]\d{3}-[01]\d) [\p{L}\p{N}_]+$/u;
const day = /^([12]\d{3}-[01]\d-[0-3]\d) [\p{L}\p{N}_]+$/u;

/** The part of a text that belongs to a heading, or without a heading the whole text. */
type Extent = (session: EditSession, place: Marker | null) => Range;

/** Finds the heading of a day below a heading, or in the file's date tree. Headings that are missing are added in the order of days, the last ones at the end of the `extent` of the heading above. */
export function findDay(
  session: EditSession,
  { under, date, extent }: { readonly under: Marker | null; readonly date: Moment; readonly extent: Extent },
): Marker {
  const printed = printDay(date);
  const levels = [
    { pattern: year, name: printed.slice(0, 4) },
    { pattern: month, name: `${printed.slice(0, 7)} ${months[date.month - 1]}` },
    { pattern: day, name: `${printed} ${weekdays[weekday(dayNumber(date))]}` },
  ];
  let above = under ?? dateTree(session);
  for (const level of levels) above = findOrMake(session, above, { ...level, extent });
  return above ?? { at: 0 };
}

/** A subtree, up to the next heading. */
export function wholeSubtree(session: EditSession, place: Marker | null): Range {
  const end = endOfOrg(session.draft.text);
  const subtree = place === null ? { begin: 0, end } : headlineInTree(session, place);
  return { begin: subtree.begin, end: Math.min(subtree.end, end) };
}

/** A subtree as Emacs narrows to it: without the line feed before the next heading. So a blank line follows what is added there. */
export function narrowedSubtree(session: EditSession, place: Marker | null): Range {
  const { begin, end } = wholeSubtree(session, place);
  return { begin, end: end < session.draft.text.length && place !== null ? end - 1 : end };
}

/** The heading whose property marks it as the root of the date tree. */
function dateTree({ draft }: EditSession): Marker | null {
  const found = draft.outline.headlines.find(({ properties }) =>
    properties?.properties.some(({ name, value }) => name.toUpperCase() === "DATE_TREE" && value !== ""),
  );
  return found === undefined ? null : draft.mark(found.begin, true);
}

function findOrMake(
  session: EditSession,
  above: Marker | null,
  { name, pattern, extent }: { readonly name: string; readonly pattern: RegExp; readonly extent: Extent },
): Marker {
  const { draft } = session;
  const parent = above === null ? null : headlineInTree(session, above);
  const level = (parent?.level ?? 0) + (session.odd && parent !== null ? 2 : 1);
  const wanted = pattern.exec(name)?.[1] ?? "";
  const inside = extent(session, above);
  const next = draft.outline.headlines.find(
    (headline) =>
      headline.begin >= inside.begin &&
      headline.begin < inside.end &&
      headline.level === level &&
      (pattern.exec(headline.title)?.[1] ?? "") >= wanted,
  );
  if (next !== undefined && pattern.exec(next.title)?.[1] === wanted) return draft.mark(next.begin, true);
  return makeHeading(session, { ...inside, at: next?.begin ?? inside.end }, `${"*".repeat(level)} ${name}`);
}

function makeHeading(
  { draft }: EditSession,
  { begin, end, at }: Range & { readonly at: number },
  heading: string,
): Marker {
  const last = skipSpaceBack(draft.text, at, begin);
  const around = draft.text.slice(begin, last) + draft.text.slice(at, end);
  const lead = wantsBlankLine(around, last - begin) ? "\n\n" : "\n";
  draft.replace({ begin: last, end: at }, `${lead}${heading}\n`);
  return draft.mark(last + lead.length, true);
}

/** Emacs's `auto` rule: a blank line goes before a new heading if there is one before the heading above it, or, where that is the parent, before the next heading. */
function wantsBlankLine(text: string, at: number): boolean {
  const headings = Array.from(text.matchAll(/^\*+ /gm), ({ index }) => index);
  const above = headings.findLast((begin) => begin <= at) ?? 0;
  const model = above > 0 ? above : headings.find((begin) => begin > at);
  return model !== undefined && /(?:^|\n)[ \t]*\n$/.test(text.slice(0, model));
}
