import type { Headline } from "../outline/outline.ts";
import { isLineStart } from "../text/lines.ts";
import { dayNumber, printDay, weekday } from "../time/calendar.ts";
import type { Moment } from "../time/timestamp.ts";
import type { Marker } from "./draft.ts";
import { insertEntry } from "./insert-entry.ts";
import { type EditSession, headlineInTree, type Refusal } from "./session.ts";
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
const levels = [
  /^([12]\d{3})/,
  /^([12]\d{3}-[01]\d) [\p{L}\p{N}]+/u,
  /^([12]\d{3}-[01]\d-[0-3]\d) [\p{L}\p{N}]+/u,
];

type Entry = {
  readonly date: Moment;
  readonly under: Marker | null;
  readonly title: string;
  readonly text: string;
};

/** Adds an entry below its day in a date tree, which is extended where needed. */
export function captureEntry(session: EditSession, { date, under, title, text }: Entry): Refusal {
  const top = under ?? dateTree(session);
  const day = printDay(date);
  const titles = [
    day.slice(0, 4),
    `${day.slice(0, 7)} ${months[date.month - 1]}`,
    `${day} ${weekdays[weekday(dayNumber(date))]}`,
  ];
  let above = top;
  for (const [depth, name] of titles.entries())
    above = findOrMake(session, above, { name, pattern: levels[depth] ?? /^$/ });
  return insertEntry(session, { place: above, where: "under" }, { title, text });
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
  { name, pattern }: { name: string; pattern: RegExp },
): Marker {
  const { draft } = session;
  const parent = above === null ? null : headlineInTree(session, above);
  const level = (parent?.level ?? 0) + (session.odd && parent !== null ? 2 : 1);
  const wanted = pattern.exec(name)?.[1] ?? "";
  const next = within(draft.outline.headlines, parent).find(
    (headline) => headline.level === level && (pattern.exec(headline.title)?.[1] ?? "") >= wanted,
  );
  if (next !== undefined && pattern.exec(next.title)?.[1] === wanted) return draft.mark(next.begin, true);
  const at = next?.begin ?? Math.min(parent?.end ?? draft.text.length, endOfOrg(draft.text));
  return makeHeading(session, at, `${"*".repeat(level)} ${name}`);
}

function within(headlines: readonly Headline[], parent: Headline | null): readonly Headline[] {
  return parent === null
    ? headlines
    : headlines.filter(({ begin }) => begin > parent.begin && begin < parent.end);
}

function makeHeading({ draft }: EditSession, at: number, heading: string): Marker {
  const lead = isLineStart(draft.text, at) ? "" : "\n";
  draft.replace({ begin: at, end: at }, `${lead}${heading}\n`);
  return draft.mark(at + lead.length, true);
}
