import { scanHeading } from "../outline/scan-heading.ts";
import {
  endOfLine,
  isLineStart,
  matchAt,
  nextLine,
  skipBlanks,
  skipSpace,
  startOfLine,
  testAt,
} from "../text/lines.ts";
import { startsItem } from "../text/list-item.ts";
import { readAffiliated } from "./affiliated.ts";
import { type ElementStart, makeElement } from "./element.ts";
import { readBlock, readDynamicBlock, readEnvironment } from "./element-blocks.ts";
import { endOfProperties, readDrawer, readNodeProperty, readPropertyDrawer } from "./element-drawers.ts";
import {
  readBabelCall,
  readClock,
  readComment,
  readDiary,
  readFixedWidth,
  readKeyword,
  readPlanning,
  readRule,
} from "./element-lines.ts";
import { readItem, readPlainList } from "./element-lists.ts";
import { readRow, readTable, startsTableEl } from "./element-tables.ts";
import { readFootnoteDefinition, readParagraph } from "./element-text.ts";
import { headingProperties } from "./heading-properties.ts";
import { startsInlineTask } from "./list-structure.ts";
import type { OrgNode } from "./node.ts";
import type { ElementMode, ElementsTask, ListStructure, ParserState } from "./parser-state.ts";
import { isClock, patterns } from "./patterns.ts";

const taskEnd = /\*+ [ \t]*END[ \t]*(?![^\n])/iy;

/** Reads an inline task, up to its line of stars and `END` if it has one; else it is one line. */
function readInlineTask(place: ElementStart): OrgNode {
  const { reading, at, limit } = place;
  const { text, settings } = reading;
  const inside = nextLine(text, at);
  const close = closeOf(text, inside, limit);
  const begin = close === -1 ? -1 : startOfLine(text, skipSpace(text, inside, limit));
  return makeElement(place, {
    type: "inlinetask",
    own: nextLine(text, close === -1 ? at : close),
    contents: close === -1 ? null : { begin: Math.min(begin, close), end: close, mode: "planning" },
    properties: headingProperties(reading, scanHeading(text, at, endOfLine(text, at), settings.todo)),
  });
}

function closeOf(text: string, from: number, limit: number): number {
  for (let line = from; line < limit; line = nextLine(text, line)) {
    if (startsInlineTask(text, line)) return testAt(taskEnd, text, line) ? line : -1;
  }
  return -1;
}

/** Reads the elements of a stretch of text, one after the other; they tile it. */
export function parseElements(reading: ParserState, task: ElementsTask): void {
  const { end, structure, into } = task;
  let { begin: at, mode } = task;
  while (at < end) {
    const place = { reading, begin: at, at, limit: end, affiliated: null };
    const node = readElement(place, mode, structure);
    into.push(node);
    mode = nextMode(mode, node);
    at = node.end;
  }
}

function nextMode(mode: ElementMode, { type }: OrgNode): ElementMode {
  if (mode === "item" || mode === "node-property" || mode === "table-row") return mode;
  if (mode === "planning" && type === "planning") return "property-drawer";
  if (mode === "top-comment" && type === "comment") return "property-drawer";
  return null;
}

function readElement(place: ElementStart, mode: ElementMode, structure: ListStructure | null): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  if (mode === "item" && structure !== null) return readItem(place, structure);
  if (mode === "table-row") return readRow(place);
  if (mode === "node-property") return readNodeProperty(place);
  if (!isLineStart(text, at)) return readParagraph(place);
  const first = text.charCodeAt(skipBlanks(text, at, limit));
  if (first === 0x23 && testAt(patterns.comment, text, at)) return readComment(place);
  if (mode === "planning" && isBelowHeading(text, at) && testAt(patterns.planning, text, at))
    return readPlanning(place);
  if (first === 0x3a && mayHoldProperties(mode, text, at)) {
    const close = endOfProperties(text, at);
    if (close !== -1) return readPropertyDrawer(place, close);
  }
  if ((first === 0x43 || first === 0x63) && isClock(text, at)) return readClock(place);
  if (reading.settings.inlineTasks && first === 0x2a && startsInlineTask(text, at))
    return readInlineTask(place);
  const { at: own, affiliated } = readAffiliated(reading, at, limit);
  if (affiliated !== null && own >= limit) return readKeyword(place);
  return readWithAffiliated({ ...place, at: own, affiliated }, structure);
}

/** Reads an element that may have affiliated keywords above it. What nothing closes is a paragraph. */
function readWithAffiliated(place: ElementStart, structure: ListStructure | null): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  const first = skipBlanks(text, at, limit);
  switch (text.charCodeAt(first)) {
    case 0x5c: {
      // \
      const name = matchAt(patterns.latex, text, at)?.[1];
      return (name === undefined ? null : readEnvironment(place, name)) ?? readParagraph(place);
    }
    case 0x3a: {
      // :
      const drawer = matchAt(patterns.drawer, text, at)?.[1];
      if (drawer !== undefined) return readDrawer(place, drawer) ?? readParagraph(place);
      return testAt(patterns.fixedWidth, text, at) ? readFixedWidth(place) : readParagraph(place);
    }
    case 0x23: // #
      return readHash(place);
    case 0x5b: {
      // [
      const label = first === at ? matchAt(patterns.footnote, text, at)?.[1] : undefined;
      return label === undefined ? readParagraph(place) : readFootnoteDefinition(place, label);
    }
    case 0x25: // %
      return first === at && text.startsWith("%%(", at) ? readDiary(place) : readParagraph(place);
    case 0x7c: // |
      return readTable(place, "org");
    default:
      if (testAt(patterns.rule, text, at)) return readRule(place);
      if (startsTableEl(reading, at, limit)) return readTable(place, "table.el");
      return startsItem(text, at) ? readPlainList(place, structure) : readParagraph(place);
  }
}

function readHash(place: ElementStart): OrgNode {
  const { text } = place.reading;
  if (testAt(patterns.dynamicBlock, text, place.at)) return readDynamicBlock(place) ?? readParagraph(place);
  const block = matchAt(patterns.block, text, place.at)?.[1];
  if (block !== undefined) return readBlock(place, block) ?? readParagraph(place);
  if (testAt(patterns.call, text, place.at)) return readBabelCall(place);
  return testAt(patterns.keyword, text, place.at) ? readKeyword(place) : readParagraph(place);
}

function isBelowHeading(text: string, at: number): boolean {
  return at > 0 && text[startOfLine(text, at - 1)] === "*";
}

function mayHoldProperties(mode: ElementMode, text: string, at: number): boolean {
  if (mode === "planning") return isBelowHeading(text, at);
  return mode === "property-drawer" || mode === "top-comment";
}
