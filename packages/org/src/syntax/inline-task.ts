import { scanHeading } from "../outline/scan-heading.ts";
import { endOfLine, nextLine, skipSpace, startOfLine, testAt } from "../text/lines.ts";
import { type ElementStart, makeElement } from "./element.ts";
import { headingProperties } from "./heading-properties.ts";
import { startsInlineTask } from "./list-structure.ts";
import type { OrgNode } from "./node.ts";

const taskEnd = /\*+ [ \t]*END[ \t]*(?![^\n])/iy;

/** Reads an inline task, up to its line of stars and `END` if it has one; else it is one line. */
export function readInlineTask(place: ElementStart): OrgNode {
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
