import { findBlocks } from "../outline/file-keywords.ts";
import { lineEnd } from "../text/emacs-characters.ts";

const inertLine = new RegExp(`[ \\t]*(?:# |#${lineEnd}|: |:${lineEnd}|#\\+(?!caption[:[])\\S+:|%%\\()`, "iy");

/** Makes a test, for increasing offsets, of whether an offset is inside a verbatim block or on a line such as a comment. */
export function inertPlaces(text: string): (at: number) => boolean {
  const blocks = findBlocks(text, { begin: 0, end: text.length });
  let block = 0;
  let line = { end: -1, inert: false };
  return (at) => {
    while ((blocks[block]?.end ?? Number.POSITIVE_INFINITY) <= at) block += 1;
    if (at >= (blocks[block]?.begin ?? Number.POSITIVE_INFINITY)) return true;
    if (at > line.end) {
      const end = text.indexOf("\n", at);
      const begin = text.lastIndexOf("\n", at) + 1;
      line = { end: end === -1 ? text.length : end, inert: isInertLine(text, begin) };
    }
    return line.inert;
  };
}

function isInertLine(text: string, begin: number): boolean {
  inertLine.lastIndex = begin;
  return inertLine.test(text);
}

/** Makes a function, for increasing offsets, that finds the end of the verbatim text that opens at an offset; the offset itself if nothing closes it. */
export function verbatimEnds(text: string): (at: number) => number {
  const ends = new Map([
    ["=", nextPlace(text, /(?<=\S)=(?![^\s\-.,:!?;'")}[\\])/g)],
    ["~", nextPlace(text, /(?<=\S)~(?![^\s\-.,:!?;'")}[\\])/g)],
  ]);
  const paragraphEnd = nextPlace(text, /\n[ \t]*\n/g);
  return (at) => {
    // Between the two marks stands one character at least.
    const close = ends.get(text[at] ?? "")?.(at + 2) ?? text.length;
    return close < Math.min(paragraphEnd(at), text.length) ? close + 1 : at;
  };
}

function nextPlace(text: string, pattern: RegExp): (from: number) => number {
  let known = -1;
  return (from) => {
    if (known < from) {
      pattern.lastIndex = from;
      known = pattern.exec(text)?.index ?? text.length;
    }
    return known;
  };
}
