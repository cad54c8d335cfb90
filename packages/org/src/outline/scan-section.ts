import { lineEnd } from "../text/emacs-characters.ts";
import { endOfLine, nextLine, skipBlanksBack } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import { findBlocks } from "./file-keywords.ts";
import type { ClockLine, Headline, Planning } from "./outline.ts";
import { parsePlannedTimestamp, parseTimestamp } from "./scan-timestamp.ts";

const planningLine = /[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):/iy;
const planningWord = /(CLOSED|DEADLINE|SCHEDULED):[ \t]*/g;
const clockStart = /^([ \t]+)\[\d{4}-\d\d-\d\d[ \]]/;
const clockRange = /\]--\[\d{4}-\d\d-\d\d[ \]]/;
const clockDuration = /^=>[ \t]+(\d+):(\d\d)$/;
const logbookLine = new RegExp(`:LOGBOOK:[ \\t]*${lineEnd}`, "iy");
const endLine = new RegExp(`:END:[ \\t]*${lineEnd}`, "iy");

/** The planning line at an offset, which is the start of the line below a heading. */
export function scanPlanning(text: string, begin: number): Planning | null {
  planningLine.lastIndex = begin;
  if (!planningLine.test(text)) return null;
  const end = nextLine(text, begin);
  const last = new Map([...text.slice(begin, end).matchAll(planningWord)].map((hit) => [hit[1], hit]));
  const stampAfter = (word: string) => {
    const hit = last.get(word);
    return hit === undefined ? null : parsePlannedTimestamp(text, begin + hit.index + hit[0].length, end);
  };
  return {
    begin,
    end,
    scheduled: stampAfter("SCHEDULED"),
    deadline: stampAfter("DEADLINE"),
    closed: stampAfter("CLOSED"),
  };
}

/** Finds the logbook and the clock lines of sections that are asked for from top to bottom. */
export function logReader(text: string): (section: Range) => Pick<Headline, "logbook" | "clocks"> {
  const nextClock = places(text, /CLOCK:/gi);
  const nextLogbook = places(text, /:LOGBOOK:/gi);
  const nextEnd = places(text, /:END:/gi);
  return (section) => {
    const firstClock = nextClock(section.begin);
    const firstLogbook = nextLogbook(section.begin);
    if (firstClock >= section.end && firstLogbook >= section.end) return { logbook: null, clocks: [] };
    const blocks = findBlocks(text, section);
    return {
      logbook: findLogbook(text, section, outside(linesWith(text, section, nextLogbook), blocks), nextEnd),
      clocks: outside(linesWith(text, section, nextClock), blocks).flatMap((at) => scanClock(text, at)),
    };
  };
}

function findLogbook(
  text: string,
  { end }: Range,
  starts: readonly number[],
  nextEnd: NextPlace,
): Range | null {
  const begin = starts.find((at) => matches(logbookLine, text, at));
  if (begin === undefined) return null;
  const close = linesWith(text, { begin: nextLine(text, begin), end }, nextEnd, endLine)[0];
  return close === undefined
    ? null
    : { begin: text.lastIndexOf("\n", begin) + 1, end: nextLine(text, close) };
}

/** The places of a section, from top to bottom, at which nothing but blanks precedes a word on its line. */
function linesWith(text: string, { begin, end }: Range, next: NextPlace, first?: RegExp): readonly number[] {
  const found: number[] = [];
  for (let at = next(begin); at < end; at = next(at + 1)) {
    if (!beginsLine(text, at) || (first !== undefined && !matches(first, text, at))) continue;
    found.push(at);
    if (first !== undefined) return found;
  }
  return found;
}

function outside(places: readonly number[], blocks: readonly Range[]): readonly number[] {
  let block = 0;
  return places.filter((at) => {
    while ((blocks[block]?.end ?? Number.POSITIVE_INFINITY) <= at) block += 1;
    return at < (blocks[block]?.begin ?? Number.POSITIVE_INFINITY);
  });
}

/** A clock line: a start (whatever stands before its last bracket), a range with its duration, or a duration alone. */
function scanClock(text: string, begin: number): readonly ClockLine[] {
  const valueBegin = begin + "CLOCK:".length;
  const end = skipBlanksBack(text, endOfLine(text, begin), valueBegin);
  const line = text.slice(valueBegin, end);
  const arrow = line.lastIndexOf("=>");
  const [ended, hours, minutes] = clockDuration.exec(line.slice(Math.max(arrow, 0))) ?? [];
  const head = line.slice(0, ended === undefined ? line.length : skipBlanksBack(line, arrow, 0));
  const start = clockStart.exec(head);
  const isClock = ended === undefined ? start !== null : head === "" || clockRange.test(head);
  const spaced = ended === undefined || head.length < arrow;
  if (!isClock || !spaced || (head !== "" && (start === null || !head.endsWith("]")))) return [];
  return [
    {
      begin,
      end,
      value: start === null ? null : parseTimestamp(text, valueBegin + (start[1]?.length ?? 0)),
      minutes: ended === undefined ? null : Number(hours) * 60 + Number(minutes),
    },
  ];
}

function beginsLine(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === " " || text[start - 1] === "\t") start -= 1;
  return start === 0 || text[start - 1] === "\n";
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The next place of a word from an offset on; the text's length where there is none. */
type NextPlace = (from: number) => number;

function places(text: string, word: RegExp): NextPlace {
  let asked = 0;
  let known = -1;
  return (from) => {
    if (from < asked || known < from) {
      word.lastIndex = from;
      known = word.exec(text)?.index ?? text.length;
      asked = from;
    }
    return known;
  };
}
