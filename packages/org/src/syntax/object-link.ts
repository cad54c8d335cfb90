import { endOfTarget } from "../text/bracket-link.ts";
import { isAlnumAt, isSpaceAt, isWordAt, startsWord } from "./characters.ts";
import { expandAbbreviation, linkTypes, readLinkTarget, refine } from "./link-target.ts";
import type { NodeOf } from "./node.ts";
import { makeObject, type Region } from "./object.ts";
import type { RadioMatch } from "./radio-matcher.ts";

type Link = NodeOf<"link"> | null;

/** Reads a link in brackets, `[[target][description]]`. */
export function readBracketLink(region: Region, at: number): Link {
  const { reading, text, end } = region;
  const close = endOfTarget(text, at + 2, end);
  if (close === -1 || close === at + 2) return null;
  const described = text[close + 1] === "[";
  const descriptionEnd = described ? reading.search.text("]]", close + 3, end) : -1;
  const own = described ? descriptionEnd + 2 : close + 2;
  if (described ? descriptionEnd === -1 : text[close + 1] !== "]" || own > end) return null;
  const written = unescaped(text.slice(at + 2, close).replace(/(?<![ \t])[ \t]*\n[ \t]*/g, " "));
  const rawLink = expandAbbreviation(written, reading.settings.links);
  const { linkType, path, searchOption, application } = readLinkTarget(rawLink);
  return makeObject(region, {
    type: "link",
    begin: at,
    own,
    contents: described ? { begin: close + 2, end: descriptionEnd } : null,
    properties: { linkType, path, rawLink, format: "bracket", searchOption, application },
  });
}

/** Reads a link in angle brackets, `<type:path>`. */
export function readAngleLink(region: Region, at: number): Link {
  const { reading, text, end } = region;
  const linkType = /^<([a-z0-9+]{1,12}):/i.exec(text.slice(at, at + 14))?.[1];
  if (linkType === undefined || !linkTypes.has(linkType.toLowerCase())) return null;
  const from = at + linkType.length + 2;
  const close = reading.search.text(">", from, end);
  if (close === -1) return null;
  const written = text.slice(from, close);
  if (/\n[ \t]*(?:\n|$)/.test(written)) return null;
  const { path, ...target } = refine(linkType, written.replace(/(?<![ \t])[ \t]*\n[ \t]*/g, ""));
  return makeObject(region, {
    type: "link",
    begin: at,
    own: close + 1,
    properties: {
      linkType: target.linkType,
      path,
      rawLink: text.slice(at + 1, close),
      format: "angle",
      searchOption: target.searchOption,
      application: target.application,
    },
  });
}

/** The type of link that ends at a colon, and begins at `from` or after it; null if there is none. */
export function typeBeforeColon(text: string, colon: number, from: number): string | null {
  const limit = Math.max(from, colon - longestType);
  let begin = colon;
  while (begin > limit && isTypeCharacter(text.charCodeAt(begin - 1))) begin -= 1;
  return begin === colon ? null : typeAtEnd(text.slice(begin, colon));
}

const longestType = 12;

function isTypeCharacter(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2b;
}

/** Reads a plain link, whose colon is at an offset. `from` is the end of the object before it. */
export function readPlainLink(region: Region, colon: number, from: number): Link {
  const { text, begin: regionBegin, end } = region;
  const linkType = typeBeforeColon(text, colon, from);
  if (linkType === null) return null;
  const begin = colon - linkType.length;
  if (!startsWord(text, begin, regionBegin)) return null;
  const own = endOfPlainPath(text, colon + 1, end);
  if (own === -1) return null;
  const target = refine(linkType, text.slice(colon + 1, own));
  return makeObject(region, {
    type: "link",
    begin,
    own,
    properties: {
      linkType: target.linkType,
      path: target.path,
      rawLink: text.slice(begin, own),
      format: "plain",
      searchOption: target.searchOption,
      application: target.application,
    },
  });
}

/** Makes the link that a radio target's text is wherever else it stands. */
export function readRadioLink(region: Region, { begin, end }: RadioMatch): NodeOf<"link"> {
  const path = region.text.slice(begin, end);
  return makeObject(region, {
    type: "link",
    begin,
    own: end,
    contents: { begin, end },
    properties: {
      linkType: "radio",
      path,
      rawLink: path,
      format: "plain",
      searchOption: null,
      application: null,
    },
  });
}

/** A link's text without the backslashes that escape brackets and backslashes before them. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/(\\+)(?=$|[[\]])/g, (slashes) => "\\".repeat(slashes.length >> 1));
}

/** The type of link that a word ends with. */
function typeAtEnd(word: string): string | null {
  for (let from = 0; from < word.length; from += 1) {
    if (from > 0 && word[from - 1] !== "+") continue;
    const type = word.slice(from);
    if (linkTypes.has(type.toLowerCase())) return type;
  }
  return null;
}

/** Where a plain link ends: it holds no space, brackets in pairs only, and ends with a letter, digit, slash, hyphen or pair. */
function endOfPlainPath(text: string, from: number, end: number): number {
  let last = -1;
  let at = from;
  while (at < end) {
    if (isPlain(text, at)) {
      at += 1;
      if (at > from + 1 && endsPath(text, at - 1)) last = at;
      continue;
    }
    const pair = endOfPair(text, at, end);
    if (pair === -1) break;
    if (at > from) last = pair;
    at = pair;
  }
  return last;
}

function endOfPair(text: string, from: number, end: number): number {
  if (!"<([".includes(text[from] ?? " ")) return -1;
  let at = from + 1;
  while (at < end) {
    if (isPlain(text, at)) {
      at += 1;
      continue;
    }
    const character = text[at] ?? " ";
    if ("])>".includes(character)) return at + 1;
    if (!"<([".includes(character)) return -1;
    at += 1;
    while (at < end && isPlain(text, at)) at += 1;
    if (at >= end || !"])>".includes(text[at] ?? " ")) return -1;
    at += 1;
  }
  return -1;
}

function isPlain(text: string, at: number): boolean {
  return !"][ \t\n()<>".includes(text[at] ?? " ");
}

function endsPath(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80)
    return isAlnumAt(text, at) || code === 0x2f || code === 0x2d || (code < 0x20 && !isSpaceAt(text, at));
  return isWordAt(text, at) && !isSpaceAt(text, at);
}
