import { whitespace } from "../text/emacs-characters.ts";
import { endOfLine, nextLine, skipBlanks, skipBlanksBack } from "../text/lines.ts";
import type { Property, PropertyDrawer } from "./outline.ts";

const opening = /[ \t]*:PROPERTIES:[ \t]*(?:\n|$)/iy;
const nameToken = new RegExp(`:([^${whitespace}]+):(?=[ \\t\\n]|$)`, "y");

/** The property drawer whose first line begins at an offset, if all of its lines are in order and it is closed before `limit`. */
export function scanPropertyDrawer(text: string, begin: number, limit: number): PropertyDrawer | null {
  opening.lastIndex = begin;
  if (!opening.test(text)) return null;
  const properties: Property[] = [];
  for (let at = opening.lastIndex; at < limit; at = nextLine(text, at)) {
    const property = scanProperty(text, at);
    if (property === null) return null;
    if (isEnd(property)) return { begin, end: nextLine(text, at), properties };
    properties.push(property);
  }
  return null;
}

/** The drawer of the file itself: after blank lines and comments, before anything else. */
export function scanFileDrawer(text: string): PropertyDrawer | null {
  let at = 0;
  while (" \t\n\r".includes(text[at] ?? "x")) at += 1;
  at = text.lastIndexOf("\n", at - 1) + 1;
  while (/^#(?: |\n|$)/.test(text.slice(at, at + 2))) at = nextLine(text, at);
  return scanPropertyDrawer(text, at, text.length);
}

function scanProperty(text: string, lineBegin: number): Property | null {
  const end = endOfLine(text, lineBegin);
  const begin = skipBlanks(text, lineBegin, end);
  if (text[begin] !== ":") return null;
  nameToken.lastIndex = begin;
  const name = nameToken.exec(text)?.[1];
  if (name === undefined) return null;
  const nameRange = { begin: begin + 1, end: begin + 1 + name.length };
  const valueBegin = skipBlanks(text, nameRange.end + 1, end);
  const valueRange = { begin: valueBegin, end: skipBlanksBack(text, end, valueBegin) };
  return {
    begin: lineBegin,
    end: nextLine(text, lineBegin),
    name,
    nameRange,
    value: text.slice(valueRange.begin, valueRange.end),
    valueRange,
  };
}

function isEnd({ name, value }: Property): boolean {
  return value === "" && name.toUpperCase() === "END";
}
