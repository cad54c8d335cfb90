import { isLineStart } from "../text/lines.ts";
import { isSpaceAt } from "./characters.ts";
import { noProperties } from "./element.ts";
import type { OrgNode } from "./node.ts";
import { makeObject, type Region } from "./object.ts";
import { objectBits } from "./restriction.ts";

/** Emphasis: text between two equal marks. */
export type Emphasis = "bold" | "italic" | "underline" | "strike-through" | "code" | "verbatim";

const bits = {
  bold: objectBits.bold,
  italic: objectBits.italic,
  underline: objectBits.underline,
  "strike-through": objectBits.strike,
  code: objectBits.code,
  verbatim: objectBits.verbatim,
} as const;

/** Reads marked text; it may go over lines, as Org 9.8 has it. */
export function readEmphasis(region: Region, at: number, type: Emphasis): OrgNode | null {
  if ((region.allowed & bits[type]) === 0 || !opens(region, at)) return null;
  const close = closingMark(region, at);
  if (close === -1) return null;
  const place = { begin: at, own: close + 1 };
  if (type === "code" || type === "verbatim")
    return makeObject(region, { type, ...place, properties: { value: region.text.slice(at + 1, close) } });
  return makeObject(region, {
    type,
    ...place,
    contents: { begin: at + 1, end: close },
    properties: noProperties,
  });
}

function opens({ text, begin, end }: Region, at: number): boolean {
  if (at + 1 >= end || isSpaceAt(text, at + 1)) return false;
  if (at === begin || isLineStart(text, at)) return true;
  const before = text[at - 1] ?? "";
  if ("-('\"{".includes(before) || isSpaceAt(text, at - 1)) return true;
  return before === text[at] && (at - 1 === begin || isLineStart(text, at - 1));
}

function closingMark({ reading, text, end }: Region, at: number): number {
  const mark = text[at] ?? "";
  const code = text.charCodeAt(at);
  const found = reading.search.scan(mark, at + 2, end - 1, (from, to) => {
    for (let place = from; place < to; place += 1)
      if (text.charCodeAt(place) === code && !isSpaceAt(text, place - 1) && mayFollow(text, place + 1))
        return place;
    return -1;
  });
  if (found !== -1) return found;
  const last = end - 1;
  return last >= at + 2 && text.charCodeAt(last) === code && !isSpaceAt(text, last - 1) ? last : -1;
}

function mayFollow(text: string, at: number): boolean {
  return at >= text.length || "-.,;:!?'\")}\\[".includes(text[at] ?? "") || isSpaceAt(text, at);
}
