import { findBlocks } from "../outline/file-keywords.ts";
import type { Headline, Outline } from "../outline/outline.ts";
import { findBracketLinks } from "../text/bracket-link.ts";
import { lineEnd } from "../text/emacs-characters.ts";
import type { Range } from "../text/range.ts";
import { citationKeys, type LinkTarget, readTargets } from "./links-target.ts";
import { verbatimEnds } from "./links-verbatim.ts";

/** A link, with the range of all of it. A citation is one link per key, of type `cite`. */
export type OrgLink = Range & LinkTarget;

const plainTypes =
  "https?|ftp|mailto|file|id|doi|attachment|news|gopher|gemini|irc|info|man|help|zotero|message|elisp|shell|cite[a-z]*";
const mark = new RegExp(
  [
    "(?<![^\\s\\-('\"{])[=~](?=\\S)",
    "\\[\\[",
    "\\[cite(?=[/:])",
    "<(?=[A-Za-z][\\w+.-]{1,30}:[^\\s>])",
    `(?<![\\p{L}\\p{N}_])(?:${plainTypes}):(?=[^\\s[\\]()<>])`,
  ].join("|"),
  "gu",
);
const angle = /<([^\n<>]+)>/y;
const plain = /[a-z]+:(?:[^\s[\]()<>]|\([^\s[\]()<>]*\))+/y;
const trailingPunctuation = /(?<![.,;:!?'"*=~+_|\\-])[.,;:!?'"*=~+_|\\-]+$/;
const inertLine = new RegExp(`[ \\t]*(?:# |#${lineEnd}|: |:${lineEnd}|#\\+(?!caption[:[])\\S+:|%%\\()`, "iy");
const longestCitation = 2000;

/** The links of a headline's own line and section, or of what comes before the first headline; those in its property drawer are not among them. */
export function linksOf(outline: Outline, headline: Headline | null): readonly OrgLink[] {
  const range =
    headline === null
      ? { begin: 0, end: outline.sectionEnd }
      : { begin: headline.begin, end: headline.sectionEnd };
  const drawer = headline === null ? outline.properties : headline.properties;
  const parts =
    drawer === null
      ? [range]
      : [
          { begin: range.begin, end: drawer.begin },
          { begin: drawer.end, end: range.end },
        ];
  return parts.flatMap((part) => findLinks(outline.text, part, outline.settings.links));
}

/** All links of a range of whole lines: bracket, angle and plain links and citations, outside code, verbatim text, comments and keywords. */
export function findLinks(
  text: string,
  range: Range,
  abbreviations: ReadonlyMap<string, string>,
): readonly OrgLink[] {
  const part = text.slice(range.begin, range.end);
  mark.lastIndex = 0;
  if (!mark.test(part)) return [];
  const read = linkReader(part, abbreviations);
  const isInert = inertPlaces(part);
  const verbatimEnd = verbatimEnds(part);
  const found: OrgLink[] = [];
  mark.lastIndex = 0;
  for (let hit = mark.exec(part); hit !== null; hit = mark.exec(part)) {
    const { index } = hit;
    if (isInert(index)) continue;
    const links = hit[0] === "=" || hit[0] === "~" ? [] : read(hit[0], index);
    found.push(...links);
    mark.lastIndex = Math.max(mark.lastIndex, links.at(-1)?.end ?? verbatimEnd(index));
  }
  return found.map((link) => ({ ...link, begin: link.begin + range.begin, end: link.end + range.begin }));
}

type ReadLink = (opening: string, begin: number) => readonly OrgLink[];

function linkReader(text: string, abbreviations: ReadonlyMap<string, string>): ReadLink {
  const all = findBracketLinks(text, { begin: 0, end: text.length });
  const brackets = new Map(all.map((link) => [link.begin, link]));
  const read = (written: string, { begin, end }: Range) =>
    readTargets(written, abbreviations).map((target) => ({ begin, end, ...target }));
  return (opening, begin) => {
    if (opening === "[cite") return readCitation(text, begin);
    if (opening === "[[") {
      const link = brackets.get(begin);
      return link === undefined ? [] : read(text.slice(link.target.begin, link.target.end), link);
    }
    if (opening === "<") {
      const [whole = "", inner] = matchAt(angle, text, begin) ?? [];
      return inner === undefined ? [] : read(inner, { begin, end: begin + whole.length });
    }
    const written = matchAt(plain, text, begin)?.[0].replace(trailingPunctuation, "");
    return written === undefined ? [] : read(written, { begin, end: begin + written.length });
  };
}

function readCitation(text: string, begin: number): readonly OrgLink[] {
  let depth = 0;
  const limit = Math.min(text.length, begin + longestCitation);
  for (let at = begin; at < limit; at += 1) {
    if (text[at] === "[") depth += 1;
    if (text[at] === "]") depth -= 1;
    if (depth > 0) continue;
    return citationKeys(text.slice(begin, at + 1)).map((target) => ({
      begin,
      end: at + 1,
      type: "cite",
      target,
      search: null,
    }));
  }
  return [];
}

/** Tells whether a place, of places that only grow, is in a block or on a line that holds no links, such as a comment. */
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
      line = { end: end === -1 ? text.length : end, inert: matchAt(inertLine, text, begin) !== null };
    }
    return line.inert;
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
