import type { Headline, Outline } from "../outline/outline.ts";
import { skipSpace, startOfLine } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import { pairBrackets } from "./bracket-pairs.ts";
import { findClosers } from "./closers.ts";
import { noProperties, objectsLater, readLater } from "./element.ts";
import { makeForwardSearch } from "./forward-search.ts";
import { headingProperties } from "./heading-properties.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import { parseElements } from "./parse-elements.ts";
import { parseObjects } from "./parse-objects.ts";
import type { ParserState, SyntaxSettings } from "./parser-state.ts";
import { makeRadioMatcher } from "./radio-matcher.ts";
import { restrictions } from "./restriction.ts";

/** Chooses the stretches of an entry whose objects are parsed. */
export type ObjectFilter = (range: Range) => boolean;

/** The settings of the file, and a filter for its objects; null parses every object. */
export type SectionOptions = { readonly settings: SyntaxSettings; readonly filter: ObjectFilter | null };

/** Makes the state for parsing a stretch of text. */
export function startReading(
  text: string,
  { begin, end }: Range,
  { settings, filter }: SectionOptions,
): ParserState {
  return {
    text,
    settings,
    closers: findClosers(text, begin, end),
    search: makeForwardSearch(text),
    radio: makeRadioMatcher(text, settings.radioTargets),
    pairs: pairBrackets(text, begin, end),
    tasks: [],
    mayHoldObjects: filter,
    stray: { begin: 0, end: 0 },
    gridLines: { begin: 0, last: -1, limit: 0 },
  };
}

/** Runs all tasks that are left, in the order of the text. */
export function finish(reading: ParserState): void {
  const later = reading.tasks.splice(0).reverse();
  for (let task = later.pop(); task !== undefined; task = later.pop()) {
    if (task.kind === "elements") parseElements(reading, task);
    else parseObjects(reading, task);
    while (reading.tasks.length > 0) {
      const next = reading.tasks.pop();
      if (next !== undefined) later.push(next);
    }
  }
}

/**
 * The objects of an entry's title and the elements of its own section; without a headline, what stands before the first one. Stretches that the
 * filter rules out are left as text.
 */
export function parseEntry(
  outline: Outline,
  headline: Headline | null,
  options: SectionOptions,
): readonly OrgNode[] {
  const { text } = outline;
  const begin = headline?.begin ?? 0;
  const end = headline?.sectionEnd ?? outline.sectionEnd;
  const state = startReading(text, { begin, end }, options);
  const title = headline === null ? [] : headingProperties(state, headline).title;
  const first = skipSpace(text, headline?.lineEnd ?? 0, end);
  const section = first < end ? [readSection(state, startOfLine(text, first), end, headline === null)] : [];
  finish(state);
  return [...title, ...section];
}

/** The objects of a stretch of text that is neither a title nor part of a section, such as a caption. */
export function parseText(text: string, range: Range, settings: SyntaxSettings): readonly OrgNode[] {
  const state = startReading(text, range, { settings, filter: null });
  const objects = objectsLater(state, range.begin, range.end, restrictions.standard);
  finish(state);
  return objects;
}

/** Makes the node of a section, whose elements are still to be read. */
export function readSection(
  reading: ParserState,
  begin: number,
  end: number,
  first: boolean,
): NodeOf<"section"> {
  return {
    ...bare(begin, end, begin, end),
    type: "section",
    properties: noProperties,
    children: readLater(reading, { begin, end, mode: first ? "top-comment" : "planning" }),
  };
}

/** The ranges of a section or a headline, with no affiliated keywords. */
export function bare(begin: number, end: number, contentsBegin: number, contentsEnd: number) {
  return { begin, end, contentsBegin, contentsEnd, postBlank: 0, postAffiliated: begin, affiliated: null };
}
