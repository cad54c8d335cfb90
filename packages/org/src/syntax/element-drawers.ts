import {
  endOfLine,
  matchAt,
  nextLine,
  skipBlanksBack,
  skipSpace,
  startOfLine,
  testAt,
} from "../text/lines.ts";
import { type ElementStart, makeElement, noProperties } from "./element.ts";
import type { OrgNode } from "./node.ts";
import { patterns } from "./patterns.ts";

/** Reads a drawer; null if nothing closes it. */
export function readDrawer(place: ElementStart, name: string): OrgNode | null {
  const { reading, at, limit } = place;
  const { text, closers } = reading;
  const inside = nextLine(text, at);
  const close = closers.line(":end:", inside, limit);
  if (close === -1) return null;
  const begin = startOfLine(text, skipSpace(text, inside, text.length));
  return makeElement(place, {
    type: "drawer",
    own: nextLine(text, close),
    contents: begin < close ? { begin, end: close, mode: null } : null,
    properties: { name },
  });
}

/** Where the property drawer ends that begins at the start of a line, its last line not included; -1 if none does. */
export function endOfProperties(text: string, at: number): number {
  if (!testAt(patterns.propertiesStart, text, at)) return -1;
  for (let line = nextLine(text, at); line < text.length; line = nextLine(text, line)) {
    if (testAt(patterns.drawerEnd, text, line)) return line;
    if (!testAt(patterns.property, text, line)) return -1;
  }
  return -1;
}

/** Reads a property drawer whose last line is at `close`. */
export function readPropertyDrawer(place: ElementStart, close: number): OrgNode {
  const { text } = place.reading;
  const begin = nextLine(text, place.at);
  return makeElement(place, {
    type: "property-drawer",
    own: nextLine(text, close),
    contents: begin < close ? { begin, end: close, mode: "node-property" } : null,
    properties: noProperties,
  });
}

/** Reads a line of a property drawer. */
export function readNodeProperty({ reading, at, limit }: ElementStart): OrgNode {
  const { text } = reading;
  const [, key = "", value = ""] = matchAt(patterns.property, text, at) ?? [];
  return {
    type: "node-property",
    begin: at,
    end: Math.min(limit, endOfLine(text, at) + 1),
    contentsBegin: -1,
    contentsEnd: -1,
    postBlank: 0,
    postAffiliated: at,
    affiliated: null,
    properties: { key, value: value.slice(0, skipBlanksBack(value, value.length, 0)) },
    children: [],
  };
}
