import type { FileSettings, Headline, Outline } from "../outline/outline.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import type { Range } from "../text/range.ts";
import { pairBrackets } from "./bracket-pairs.ts";
import { findClosers } from "./closers.ts";
import { noProperties, readLater } from "./element.ts";
import { makeForwardSearch } from "./forward-search.ts";
import { headingProperties } from "./heading-properties.ts";
import { countLines, skipSpace, startOfLine } from "./lines.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import { parseElements } from "./parse-elements.ts";
import { parseObjects } from "./parse-objects.ts";
import type { ParserState, SyntaxSettings } from "./parser-state.ts";
import { findRadioTargets, makeRadioMatcher } from "./radio-matcher.ts";

/** How a file is parsed besides its own settings. */
export type ParseOptions = { readonly inlineTasks?: boolean };

/** The whole tree of a text of Org, as Org's own parser reads it. Takes any text, and never throws. Nothing in it is ever evaluated. */
export function parseOrg(text: string, options: ParseOptions = {}): NodeOf<"org-data"> {
  const outline = scanOutline(text, options);
  const settings = syntaxSettings(outline.settings, options);
  const tree = buildTree(outline, settings);
  const radioTargets = findRadioTargets(tree);
  return radioTargets.length === 0 ? tree : buildTree(outline, { ...settings, radioTargets });
}

/** What a file's settings mean for its syntax; radio targets are none of its keywords, and are found in its tree. */
export function syntaxSettings(file: FileSettings, options: ParseOptions = {}): SyntaxSettings {
  return {
    todo: new Map(
      file.todo.map(({ word }) => [word, file.todo.some((one) => one.word === word && one.done)]),
    ),
    links: file.links,
    radioTargets: [],
    inlineTasks: options.inlineTasks ?? false,
    oddLevels: file.startup.some((word) => word.toLowerCase() === "odd"),
  };
}

/** The section of a range alone, which must hold no headline. `first`: it stands above the first headline of its file. */
export function parseSection(
  text: string,
  range: Range & { readonly first?: boolean },
  settings: SyntaxSettings,
): NodeOf<"section"> {
  const reading = startReading(text, range, settings);
  const section = readSection(reading, range.begin, range.end, range.first === true);
  finish(reading);
  return section;
}

function startReading(text: string, { begin, end }: Range, settings: SyntaxSettings): ParserState {
  return {
    text,
    settings,
    closers: findClosers(text, begin, end),
    search: makeForwardSearch(text),
    radio: makeRadioMatcher(settings.radioTargets),
    pairs: pairBrackets(text, begin, end),
    tasks: [],
    stray: { begin: 0, end: 0 },
    gridLines: { begin: 0, last: -1, limit: 0 },
  };
}

/** Does all that is still to be read, in the order of the text. */
function finish(reading: ParserState): void {
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

function buildTree({ text, headlines }: Outline, settings: SyntaxSettings): NodeOf<"org-data"> {
  const reading = startReading(text, { begin: 0, end: text.length }, settings);
  const children: OrgNode[] = [];
  const begin = startOfLine(text, skipSpace(text, 0, text.length));
  const first = headlines[0]?.begin ?? text.length;
  if (begin < first) children.push(readSection(reading, begin, first, true));
  const insides: OrgNode[][] = [];
  for (const headline of headlines) {
    const inside: OrgNode[] = [];
    insides.push(inside);
    (headline.parent === -1 ? children : (insides[headline.parent] ?? children)).push(
      readHeadline(reading, headline, inside),
    );
  }
  finish(reading);
  return {
    ...bare(0, text.length, begin, text.length),
    type: "org-data",
    properties: noProperties,
    children,
  };
}

function readHeadline(reading: ParserState, headline: Headline, inside: OrgNode[]): NodeOf<"headline"> {
  const { text } = reading;
  const { begin, end, lineEnd, sectionEnd, tags, rawTitleRange } = headline;
  const first = skipSpace(text, lineEnd, end);
  const contents = first >= end ? -1 : startOfLine(text, first);
  const { title, ...properties } = headingProperties(reading, headline);
  if (contents !== -1 && contents < sectionEnd)
    inside.push(readSection(reading, contents, sectionEnd, false));
  return {
    ...bare(begin, end, contents, contents === -1 ? -1 : end),
    type: "headline",
    postBlank: contents === -1 ? countLines(text, begin, end) - 1 : 0,
    properties: {
      ...properties,
      commented: headline.comment !== null,
      archived: tags?.names.includes("ARCHIVE") === true,
      footnoteSection: text.slice(rawTitleRange.begin, rawTitleRange.end) === "Footnotes",
      preBlank: contents === -1 ? 0 : countLines(text, begin, contents) - 1,
      title,
    },
    children: inside,
  };
}

function readSection(reading: ParserState, begin: number, end: number, first: boolean): NodeOf<"section"> {
  return {
    ...bare(begin, end, begin, end),
    type: "section",
    properties: noProperties,
    children: readLater(reading, { begin, end, mode: first ? "top-comment" : "planning" }),
  };
}

function bare(begin: number, end: number, contentsBegin: number, contentsEnd: number) {
  return { begin, end, contentsBegin, contentsEnd, postBlank: 0, postAffiliated: begin, affiliated: null };
}
