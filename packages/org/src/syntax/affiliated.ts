import { endOfLine, isLineStart, matchAt, nextLine, skipBlanks, testAt, trimmed } from "../text/lines.ts";
import type { Affiliated } from "./node.ts";
import type { ParserState } from "./parser-state.ts";
import { patterns } from "./patterns.ts";

/** Where an element begins below its affiliated keywords, and what they say; null if it has none. */
export type WithAffiliated = { readonly at: number; readonly affiliated: Affiliated | null };

/** Reads the affiliated keywords from the start of a line on. Those that nothing follows belong to nothing. */
export function readAffiliated(reading: ParserState, begin: number, limit: number): WithAffiliated {
  const { text, stray } = reading;
  const without = { at: begin, affiliated: null };
  if (!isLineStart(text, begin) || (begin >= stray.begin && begin < stray.end)) return without;
  let affiliated: Map<string, string | string[]> | null = null;
  let at = begin;
  while (at < limit) {
    if (text.charCodeAt(skipBlanks(text, at, limit)) !== 0x23) break;
    const match = matchAt(patterns.affiliated, text, at);
    if (match === null) break;
    affiliated ??= new Map();
    addValue(affiliated, match, text);
    at = nextLine(text, at);
  }
  if (affiliated === null) return without;
  if (isFollowed(text, at)) return { at, affiliated };
  reading.stray = { begin, end: at };
  return without;
}

/** True for the line of a keyword that belongs to what is below it. */
export function isAffiliatedLine(text: string, line: number): boolean {
  return testAt(patterns.affiliated, text, line);
}

function isFollowed(text: string, at: number): boolean {
  const first = skipBlanks(text, at, text.length);
  return !(
    first >= text.length ||
    text.charCodeAt(first) === 0x0a ||
    testAt(patterns.comment, text, at) ||
    testAt(clockStart, text, at) ||
    testAt(headline, text, at)
  );
}

const clockStart = /[ \t]*CLOCK:/iy;
const headline = /\*+ /y;

const presentNames: ReadonlyMap<string, string> = new Map([
  ["DATA", "NAME"],
  ["LABEL", "NAME"],
  ["RESNAME", "NAME"],
  ["SOURCE", "NAME"],
  ["SRCNAME", "NAME"],
  ["TBLNAME", "NAME"],
  ["RESULT", "RESULTS"],
  ["HEADERS", "HEADER"],
]);

function addValue(affiliated: Map<string, string | string[]>, match: RegExpExecArray, text: string): void {
  const [whole, dual, second, single] = match;
  const written = (dual ?? single ?? "").toUpperCase();
  const name = presentNames.get(written) ?? written;
  const from = match.index + whole.length;
  const value = trimmed(text.slice(from, endOfLine(text, from)));
  if (name === "CAPTION" || name === "HEADER" || name.startsWith("ATTR_")) {
    const before = affiliated.get(name);
    if (Array.isArray(before)) before.push(value);
    else affiliated.set(name, [value]);
  } else if (name === "RESULTS")
    affiliated.set(name, second === undefined ? [value] : `(${value} . ${second})`);
  else affiliated.set(name, value);
}
