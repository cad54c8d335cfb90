/** A headline as the agenda prints it: its text with tags, its time of day, and that time as a number to sort by. */
export type AgendaItem = {
  /** The heading with its tags; a time of day that is in it stays in it. */
  readonly txt: string;
  /** The same without the time of day that is shown before it. */
  readonly shown: string;
  readonly time: string;
  readonly timeOfDay: number | null;
};

/** The headline that an agenda item is made from. */
export type AgendaItemSource = {
  /** Its line without stars and tags. */
  readonly text: string;
  readonly inheritedTags: readonly string[];
  readonly localTags: readonly string[];
  /** The text that is searched for a time of day before the heading is; "" searches the heading only, null searches nothing. */
  readonly timeIn: string | null;
  /** Leaves active timestamps out of the text. */
  readonly withoutStamps: boolean;
};

/** How much of a heading is searched for a time of day, in UTF-16 units. */
const searchedCharacters = 2000;
const tagColumn = 50;

const word = "[\\p{L}\\p{N}\\p{M}'$%]";
const clockTime = `[012]?\\d(?:(?::[0-5]\\d(?:[AaPp][Mm])?)|(?:[AaPp][Mm]))(?!${word})`;
const plainTime = new RegExp(`(?<!${word})(${clockTime})(?:--?(?<!${word})(${clockTime}))?`, "u");
const stampTime =
  /<(\d{4}-\d{2}-\d{2} +[\p{L}\p{N}\p{M}]+ +)([012]\d:[0-5]\d)(-([012]\d:[0-5]\d))?[^\n\r>]*?>(--?<\1([012]\d:[0-5]\d)>)?/u;
const anyTime = new RegExp(`(?<!${word})([012]?\\d)(?::([0-5]\\d)([ap]m)?|([ap]m))(?!${word})`, "iu");

/** Formats a headline as Emacs's agenda does. */
export function formatAgendaItem(item: AgendaItemSource): AgendaItem {
  const found = item.timeIn === null ? null : findTime(item.timeIn, item.text);
  const tagged = `${item.text}${tagsOf(item)}`;
  const lay = (text: string): string =>
    item.withoutStamps ? removeStamps(alignTags(text), false) : alignTags(text);
  const txt = lay(tagged);
  if (found === null) return { txt, shown: txt, time: "", timeOfDay: null };
  const { shown: time, timeOfDay } = found;
  return { txt, shown: lay(withoutTime(tagged, found.written)), time, timeOfDay };
}

type FoundTime = { readonly written: string; readonly shown: string; readonly timeOfDay: number };

function findTime(before: string, heading: string): FoundTime | null {
  const text = before + removeStamps(heading.slice(0, searchedCharacters), true);
  // Most texts have no time of day, and this test is much cheaper than finding word boundaries.
  if (!/\d(?::\d|[ap]m)/i.test(text)) return null;
  const first = readTime(text);
  if (first === null) return null;
  const stamp = stampTime.exec(text);
  const plain = stamp === null ? plainTime.exec(text) : null;
  const written = stamp?.[0] ?? plain?.[0] ?? "";
  const start = stamp?.[2] ?? plain?.[1];
  const end = stamp === null ? plain?.[2] : stamp[3] === undefined ? stamp[6] : stamp[4];
  return { written, shown: showTimes(start, end), timeOfDay: first.hours * 100 + first.minutes };
}

function showTimes(start: string | undefined, end: string | undefined): string {
  const [begins, ends] = [start, end].map((time) => (time === undefined ? null : readTime(time)));
  if (begins === null || begins === undefined) return "";
  const shown = showTime(begins).padStart(5);
  return ends === null || ends === undefined ? `${shown}......` : `${shown}-${showTime(ends)}`;
}

type ClockTime = { readonly hours: number; readonly minutes: number };

function readTime(text: string): ClockTime | null {
  const match = anyTime.exec(text);
  if (match === null) return null;
  const half = (match[3] ?? match[4])?.toLowerCase();
  const written = Number(match[1]);
  const hours = half === undefined ? written : (written === 12 ? 0 : written) + (half === "am" ? 0 : 12);
  return { hours, minutes: Number(match[2] ?? 0) };
}

/** A time after midnight is written as the rest, such as `+1:30`. */
function showTime({ hours, minutes }: ClockTime): string {
  const after = hours > 24 || (hours === 24 && minutes > 0);
  return `${after ? `+${hours - 24}` : hours}:${`${minutes}`.padStart(2, "0")}`;
}

/** Removes a time that is already shown before the text. */
function withoutTime(text: string, written: string): string {
  const at = written === "" ? -1 : text.indexOf(written);
  if (at === -1) return text;
  let end = at + written.length;
  while (text[end] === " ") end += 1;
  return text[end] === "]" ? text : text.slice(0, at) + text.slice(end);
}

/** ` :inherited::own:`; what is inherited ends in two colons. */
function tagsOf({ inheritedTags, localTags }: AgendaItemSource): string {
  if (inheritedTags.length === 0) return localTags.length === 0 ? "" : ` :${localTags.join(":")}:`;
  return ` :${inheritedTags.join(":")}::${localTags.map((tag) => `${tag}:`).join("")}`;
}

const tagGroup = /^:[\p{L}\p{N}\p{M}_@#%:]+:$/u;

function alignTags(text: string): string {
  const end = text.trimEnd();
  if (!end.endsWith(":")) return text;
  const space = Math.max(end.lastIndexOf(" "), end.lastIndexOf("\t"));
  const group = end.slice(space + 1);
  if (space === -1 || !tagGroup.test(group)) return text;
  const title = end.slice(0, space).replace(/[ \t]+$/, "");
  return title + " ".repeat(Math.max(tagColumn - countCodePoints(text), 1)) + group;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The text without timestamps: all of them, or the active ones. */
function removeStamps(text: string, inactiveToo: boolean): string {
  const opening = inactiveToo ? /[[<]\d{4}-\d{2}-\d{2}/g : /<\d{4}-\d{2}-\d{2}/g;
  let kept = "";
  let from = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const after = opening.lastIndex;
    const close = text[after] === " " ? findClose(text, after + 1, inactiveToo) : after;
    if (close === -1) break;
    if (text[close] !== ">" && !(inactiveToo && text[close] === "]")) continue;
    kept += text.slice(from, match.index);
    from = close + 1;
    opening.lastIndex = from;
  }
  return kept + text.slice(from);
}

function findClose(text: string, from: number, inactiveToo: boolean): number {
  let at = from;
  while (at < text.length && text[at] !== ">" && !(inactiveToo && text[at] === "]")) at += 1;
  return at === text.length ? -1 : at;
}
