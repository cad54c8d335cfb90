import { parsePlannedTimestamp, parseTimestamp } from "../outline/scan-timestamp.ts";
import {
  afterBlankLines,
  countLines,
  endOfLine,
  isLineStart,
  matchAt,
  nextLine,
  skipBlanks,
  skipBlanksBack,
  testAt,
  trimmed,
  trimmedOrNull,
} from "../text/lines.ts";
import type { Timestamp } from "../time/timestamp.ts";
import { type ElementStart, makeElement, noProperties } from "./element.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import { timestampNode } from "./object-timestamp.ts";
import { patterns } from "./patterns.ts";

/** Reads the comment lines from a line on. */
export function readComment(place: ElementStart): OrgNode {
  const { text } = place.reading;
  const lines: string[] = [];
  let line = place.at;
  do {
    const start = matchAt(patterns.comment, text, line)?.[0].length ?? 0;
    lines.push(text.slice(line + start, endOfLine(text, line)));
    line = nextLine(text, line);
  } while (line < place.limit && testAt(patterns.comment, text, line));
  return makeElement(place, { type: "comment", own: line, properties: { value: lines.join("\n") } });
}

/** Reads the lines from a line on that begin with a colon and a space. */
export function readFixedWidth(place: ElementStart): OrgNode {
  const { text } = place.reading;
  const lines: string[] = [];
  let line = place.at;
  while (line < place.limit && testAt(patterns.fixedWidth, text, line)) {
    const colon = skipBlanks(text, line, text.length);
    const from = text[colon + 1] === " " ? colon + 2 : colon + 1;
    lines.push(text.slice(from, endOfLine(text, line)));
    line = nextLine(text, line);
  }
  return makeElement(place, { type: "fixed-width", own: line, properties: { value: lines.join("\n") } });
}

/** Reads a line of hyphens. */
export function readRule(place: ElementStart): OrgNode {
  const own = nextLine(place.reading.text, place.at);
  return makeElement(place, { type: "horizontal-rule", own, properties: noProperties });
}

/** Reads a line `%%(…)`, which is never evaluated. */
export function readDiary(place: ElementStart): OrgNode {
  const { text } = place.reading;
  const value = text.slice(place.at, endOfLine(text, place.at));
  return makeElement(place, { type: "diary-sexp", own: nextLine(text, place.at), properties: { value } });
}

/** Reads a line `#+KEY: value`. */
export function readKeyword(place: ElementStart): OrgNode {
  const { text } = place.reading;
  const match = matchAt(patterns.keyword, text, place.at);
  const from = place.at + (match?.[0].length ?? 0);
  return makeElement(place, {
    type: "keyword",
    own: nextLine(text, place.at),
    properties: {
      key: (match?.[1] ?? "").toUpperCase(),
      value: trimmed(text.slice(from, endOfLine(text, place.at))),
    },
  });
}

/** Reads a line `#+CALL: …`. As Org has it, one without any bracket takes the line below it for its end header. */
export function readBabelCall(place: ElementStart): OrgNode {
  const { reading, limit } = place;
  const { text } = reading;
  const below = nextLine(text, place.at);
  const start = skipBlanks(text, text.indexOf(":", place.at) + 1, text.length);
  let at = start;
  while (at < below && !"[]()".includes(text[at] ?? "")) at += 1;
  const call = text.slice(start, at);
  const inside = bracketed(place, at, "[");
  if (inside !== null) at += inside.length + 2;
  const given = bracketed(place, at, "(");
  if (given !== null) at += given.length + 2;
  const node = makeElement(place, {
    type: "babel-call",
    own: at >= limit ? limit : nextLine(text, at),
    properties: {
      call: trimmedOrNull(call) === null ? null : call,
      insideHeader: inside,
      arguments: trimmedOrNull(given ?? "") === null ? null : given,
      endHeader: trimmedOrNull(text.slice(at, endOfLine(text, at))),
      value: trimmed(text.slice(start, endOfLine(text, start))),
    },
  });
  return { ...node, postBlank: countLines(text, below, node.end) };
}

/** Reads a line `CLOCK: …`. */
export function readClock(place: ElementStart): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  const lineEnd = endOfLine(text, at);
  const value = skipBlanks(text, text.indexOf(":", at) + 1, lineEnd);
  const arrow = text.slice(at, lineEnd).indexOf("=> ");
  const duration = arrow === -1 ? null : /^[ \t]*(\S+)[ \t]*$/.exec(text.slice(at + arrow + 3, lineEnd));
  const own = nextLine(text, at);
  const end = afterShortBlank(text, own, limit);
  return {
    ...makeElement(place, {
      type: "clock",
      own,
      properties: {
        status: duration === null ? "running" : "closed",
        value: stampAt(text, value),
        duration: duration?.[1] ?? null,
      },
    }),
    end,
    postBlank: countLines(text, own, end),
  };
}

/** Reads the line below a heading that says when it is scheduled, due or closed. */
export function readPlanning(place: ElementStart): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  const own = nextLine(text, at);
  const end = afterShortBlank(text, own, limit);
  const after = new Map<string, number>();
  for (const { 0: keyword, index } of text.slice(at, end).matchAll(/CLOSED:|DEADLINE:|SCHEDULED:/g))
    after.set(keyword, at + index + keyword.length);
  const stampOf = (keyword: string): OrgNode | null => {
    const from = after.get(keyword);
    if (from === undefined) return null;
    return nodeOf(text, parsePlannedTimestamp(text, skipBlanks(text, from, end), text.length));
  };
  const properties = {
    scheduled: stampOf("SCHEDULED:"),
    deadline: stampOf("DEADLINE:"),
    closed: stampOf("CLOSED:"),
  };
  const node = makeElement(place, { type: "planning", own, properties });
  return { ...node, end, postBlank: countLines(text, own, end) };
}

function stampAt(text: string, at: number): NodeOf<"timestamp"> | null {
  return nodeOf(text, parseTimestamp(text, at));
}

function nodeOf(text: string, stamp: Timestamp | null): NodeOf<"timestamp"> | null {
  return stamp === null ? null : timestampNode(text, stamp, endOfLine(text, stamp.end));
}

/** As `afterBlankLines`, but blanks at the end of the text that no line feed ends are left to another element. */
function afterShortBlank(text: string, at: number, limit: number): number {
  const end = afterBlankLines(text, at, limit);
  const back = skipBlanksBack(text, end, at);
  return isLineStart(text, back) ? back : end;
}

function bracketed({ reading, limit }: ElementStart, at: number, open: string): string | null {
  if (at >= limit || reading.text[at] !== open) return null;
  const close = reading.pairs.closing(at, limit);
  return close === -1 ? null : reading.text.slice(at + 1, close);
}
