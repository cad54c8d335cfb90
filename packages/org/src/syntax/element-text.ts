import {
  afterBlankLines,
  countLines,
  endOfLastLine,
  matchAt,
  nextLine,
  skipBlanks,
  skipSpace,
  startOfLine,
  testAt,
} from "../text/lines.ts";
import { isAffiliatedLine } from "./affiliated.ts";
import { type ElementStart, makeElement, noProperties } from "./element.ts";
import { startsInlineTask } from "./list-structure.ts";
import type { OrgNode } from "./node.ts";
import type { ParserState } from "./parser-state.ts";
import { isClock, keyWithSecond, patterns } from "./patterns.ts";
import { restrictions } from "./restriction.ts";

/** Reads a paragraph: all lines up to a blank one, or one that begins another element. An empty line that a block begins with is one of its own. */
export function readParagraph(place: ElementStart): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  const empty = text.charCodeAt(at) === 0x0a;
  let own = empty ? at : Math.min(limit, nextLine(text, at));
  while (!empty && own < limit && !endsParagraph(reading, own, limit))
    own = Math.min(limit, nextLine(text, own));
  const end = empty ? at + 1 : Math.min(own, endOfLastLine(text, own, at));
  return makeElement(place, {
    type: "paragraph",
    own,
    contents: { begin: at, end, allowed: restrictions.standard },
    properties: noProperties,
  });
}

/** Reads a footnote's definition: up to the next one, a headline, or two blank lines. */
export function readFootnoteDefinition(place: ElementStart, label: string): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  const end = endOfFootnote(text, at, limit);
  const first = skipSpace(text, text.indexOf("]", at) + 1, end);
  const line = startOfLine(text, first);
  const begin = first >= end ? -1 : line === at ? first : line;
  const own = Math.min(end, endOfLastLine(text, end, at));
  const node = makeElement(place, {
    type: "footnote-definition",
    own,
    contents: begin === -1 ? null : { begin, end: own, mode: null },
    properties: { label },
  });
  return { ...node, end, postBlank: countLines(text, own, end) };
}

function endOfFootnote(text: string, at: number, limit: number): number {
  for (let line = nextLine(text, at); line < limit; line = nextLine(text, line)) {
    const code = text.charCodeAt(line);
    if (code === 0x5b && testAt(patterns.footnote, text, line)) {
      let end = line;
      while (end > at) {
        const above = startOfLine(text, end - 1);
        if (above <= at || !isAffiliatedLine(text, above)) break;
        end = above;
      }
      return end;
    }
    if (code === 0x2a && testAt(headline, text, line)) return line;
    const first = skipBlanks(text, line, limit);
    if (text.charCodeAt(first) === 0x0a && first < limit) {
      const second = skipBlanks(text, first + 1, limit);
      if (second < limit && text.charCodeAt(second) === 0x0a) return afterBlankLines(text, second, limit);
    }
  }
  return limit;
}

const headline = /\*+ /y;

/** True where a line cannot belong to the paragraph above it. */
function endsParagraph(reading: ParserState, line: number, limit: number): boolean {
  const { text, closers } = reading;
  const first = skipBlanks(text, line, text.length);
  if (first >= text.length) return true;
  switch (text.charCodeAt(first)) {
    case 0x0a:
    case 0x7c: // |
      return true;
    case 0x2a: // *
      if (first === line && reading.settings.inlineTasks) return startsInlineTask(text, line);
      return isBullet(text, first + 1);
    case 0x2b: // +
      return isBullet(text, first + 1) || testAt(patterns.tableRule, text, line);
    case 0x2d: // -
      return isBullet(text, first + 1) || testAt(patterns.rule, text, line);
    case 0x23: // #
      return testAt(patterns.comment, text, line) || endsAtKeyword(reading, line, limit);
    case 0x3a: // :
      if (testAt(patterns.fixedWidth, text, line)) return true;
      return testAt(patterns.drawer, text, line) && closers.line(":end:", nextLine(text, line), limit) !== -1;
    case 0x5b: // [
      return first === line && testAt(patterns.footnote, text, line);
    case 0x25: // %
      return first === line && text.startsWith("%%(", line);
    case 0x5c: {
      // \
      const name = matchAt(patterns.latex, text, line)?.[1];
      return name !== undefined && closers.environment(name, line, limit) !== -1;
    }
    case 0x43: // C
    case 0x63:
      return isClock(text, line);
    default:
      return isNumbered(text, first);
  }
}

function endsAtKeyword({ text, closers }: ParserState, line: number, limit: number): boolean {
  const block = matchAt(patterns.block, text, line)?.[1];
  if (block !== undefined && closers.line(`#+end_${block}`, line, limit) !== -1) return true;
  if (block !== undefined) return false;
  const dual = keyWithSecond(text, line);
  if (dual !== null) return /^(?:CAPTION|RESULTS)$/i.test(dual);
  return testAt(patterns.keyword, text, line);
}

function isBullet(text: string, after: number): boolean {
  const code = text.charCodeAt(after);
  return code === 0x20 || code === 0x09 || code === 0x0a || after >= text.length;
}

function isNumbered(text: string, first: number): boolean {
  let at = first;
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1;
  return at > first && (text[at] === "." || text[at] === ")") && isBullet(text, at + 1);
}
