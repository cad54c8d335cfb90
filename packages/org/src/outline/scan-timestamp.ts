import { endOfLine } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import type { Moment, Timestamp, Unit } from "../time/timestamp.ts";

const oneStamp = /[<[](\d{4}-\d\d-\d\d(?: [^\n\]>]*)?)[\]>]/y;
const secondStamp = /--[<[](\d{4}-\d\d-\d\d(?: [^\n\]>]*)?)[\]>]/y;
const opening = /[<[]\d{4}-\d\d-\d\d[ \]>]|<%%\(/g;
const dateAndTime = /(\d{4})-(\d{2})-(\d{2})(?: +[^\]+0-9>\r\n -]+)?(?: +(\d{1,2}):(\d{2}))?/;
const timeRange = /[012]?\d:[0-5]\d-([012]?\d):([0-5]\d)/;
const diaryTime = /([012]?\d):([0-5]\d)(?:-([012]?\d):([0-5]\d))?/;
const repeaterCookie = /(\+\+|\.\+|\+)(\d+)([hdwmy])(?:\/(\d+)([hdwmy]))?/i;
const warningCookie = /(-)?-(\d+)([hdwmy])/i;
const units: ReadonlyMap<string, Unit> = new Map([
  ["h", "hour"],
  ["d", "day"],
  ["w", "week"],
  ["m", "month"],
]);

/** The timestamp that begins at an offset and ends at `limit` or before, if there is one. A diary expression is never evaluated. */
export function parseTimestamp(text: string, offset: number, limit: number = text.length): Timestamp | null {
  return text.startsWith("<%%(", offset) ? parseDiary(text, offset, limit) : parseDates(text, offset, limit);
}

/** A timestamp of a planning line: there Emacs knows units in lower case only. Elsewhere it takes them in upper case too, all for years. */
export function parsePlannedTimestamp(text: string, offset: number, limit: number): Timestamp | null {
  const stamp = parseTimestamp(text, offset, limit);
  const cookies = stamp?.raw.replace(/\d[HDWMY]/g, "#");
  if (stamp === null || cookies === undefined || cookies === stamp.raw || stamp.kind === "diary")
    return stamp;
  return { ...stamp, repeater: readRepeater(cookies), warning: readWarning(cookies) };
}

/** All timestamps of a range, from left to right, wherever they stand. */
export function findTimestamps(text: string, { begin, end }: Range): readonly Timestamp[] {
  const found: Timestamp[] = [];
  const mayBeClosed = makeClosedTest(text);
  opening.lastIndex = begin;
  for (let hit = opening.exec(text); hit !== null && hit.index < end; hit = opening.exec(text)) {
    const diary = hit[0] === "<%%(";
    const stamp = mayBeClosed(hit.index) ? parseTimestamp(text, hit.index, end) : null;
    if (stamp !== null) {
      found.push(stamp);
      opening.lastIndex = stamp.end;
    } else if (diary) {
      opening.lastIndex = hit.index + 1;
    } else {
      opening.lastIndex = endOfLine(text, hit.index);
    }
  }
  return found;
}

/**
 * A test, for offsets that only grow, of whether a timestamp that begins there can be closed on its line. It looks at each character once, however many
 * timestamps are left open.
 */
export function makeClosedTest(text: string): (offset: number) => boolean {
  let bracket = -1;
  let pointed = -1;
  let parenthesis = -1;
  return (offset) => {
    if (bracket < offset) bracket = firstOf(text, "]>", offset);
    if (!text.startsWith("<%%(", offset)) return bracket < text.length && text[bracket] !== "\n";
    if (pointed < offset) {
      pointed = firstOf(text, ">", offset);
      parenthesis = offset + text.slice(offset, pointed).lastIndexOf(")");
    }
    return text[pointed] === ">" && parenthesis > offset + "<%%(".length;
  };
}

/** The first place of one of some characters on the line of an offset, from there on; the line's end if there is none. */
function firstOf(text: string, characters: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "\n" && !characters.includes(text[at] ?? "")) at += 1;
  return at;
}

function parseDates(text: string, offset: number, limit: number): Timestamp | null {
  const first = matchAt(oneStamp, text, offset, limit);
  if (first === null) return null;
  const second = matchAt(secondStamp, text, offset + first[0].length, limit);
  const raw = first[0] + (second?.[0] ?? "");
  const written = first[1] ?? "";
  const times = timeRange.exec(written);
  const start = readMoment(written);
  const rangeEnd = second === null ? start : readMoment(second[1] ?? "");
  const activity = raw.startsWith("<") ? "active" : "inactive";
  return {
    begin: offset,
    end: offset + raw.length,
    kind: second === null && times === null ? activity : `${activity}-range`,
    raw,
    start,
    last: {
      ...rangeEnd,
      hour: (second === null ? null : rangeEnd.hour) ?? numberOf(times?.[1]) ?? start.hour,
      minute: (second === null ? null : rangeEnd.minute) ?? numberOf(times?.[2]) ?? start.minute,
    },
    repeater: readRepeater(raw),
    warning: readWarning(raw),
  };
}

function parseDiary(text: string, offset: number, limit: number): Timestamp | null {
  const close = firstOf(text, ">", offset);
  const inner = text.slice(offset, close);
  const parenthesis = inner.lastIndexOf(")");
  if (close >= limit || text[close] !== ">" || parenthesis < "<%%(x".length) return null;
  const firstEnd = firstOf(text, "]>", offset) + 1;
  const end = firstEnd + (matchAt(secondStamp, text, firstEnd, limit)?.[0].length ?? 0);
  const times = diaryTime.exec(inner.slice(parenthesis + 1));
  const day = { year: 0, month: 0, day: 0 };
  return {
    begin: offset,
    end,
    kind: "diary",
    raw: text.slice(offset, end),
    start: { ...day, hour: numberOf(times?.[1]), minute: numberOf(times?.[2]) },
    last: { ...day, hour: numberOf(times?.[3]), minute: numberOf(times?.[4]) },
    repeater: null,
    warning: null,
  };
}

function matchAt(pattern: RegExp, text: string, offset: number, limit: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  const match = pattern.exec(text);
  return match === null || offset + match[0].length > limit ? null : match;
}

function readMoment(written: string): Moment {
  const [, year, month, day, hour, minute] = dateAndTime.exec(written) ?? [];
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: numberOf(hour),
    minute: numberOf(minute),
  };
}

function readRepeater(raw: string): Timestamp["repeater"] {
  const [cookie, mark, value, letter, most, mostLetter] = repeaterCookie.exec(raw) ?? [];
  if (cookie === undefined) return null;
  return {
    type: mark === "++" ? "catch-up" : mark === ".+" ? "restart" : "cumulate",
    value: Number(value),
    unit: unitOf(letter),
    deadline: most === undefined ? null : { value: Number(most), unit: unitOf(mostLetter) },
  };
}

function readWarning(raw: string): Timestamp["warning"] {
  const [cookie, first, value, letter] = warningCookie.exec(raw) ?? [];
  if (cookie === undefined) return null;
  return { type: first === undefined ? "all" : "first", value: Number(value), unit: unitOf(letter) };
}

function unitOf(letter: string | undefined): Unit {
  return units.get(letter ?? "") ?? "year";
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
