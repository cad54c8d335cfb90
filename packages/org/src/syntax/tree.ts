import type { FileSettings, Headline, Outline } from "../outline/outline.ts";
import { type ScanOptions, scanOutline } from "../outline/scan-outline.ts";
import { countLines, skipSpace, startOfLine } from "../text/lines.ts";
import { noProperties } from "./element.ts";
import { headingProperties } from "./heading-properties.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import { bare, finish, readSection, startReading } from "./parse-section.ts";
import type { ParserState, SyntaxSettings } from "./parser-state.ts";
import { findRadioTargets } from "./radio-matcher.ts";

/** Options of the parser that a file's own settings do not decide. */
export type ParseOptions = Pick<ScanOptions, "inlineTasks" | "readSetup" | "variables">;

/** The whole tree of a text of Org, as Org's own parser reads it. Takes any text, and never throws. Nothing in it is ever evaluated. */
export function parseOrg(text: string, options: ParseOptions = {}): NodeOf<"org-data"> {
  const outline = scanOutline(text, options);
  const settings = syntaxSettings(outline.settings, options);
  const tree = buildTree(outline, settings);
  const radioTargets = findRadioTargets(tree);
  return radioTargets.length === 0 ? tree : buildTree(outline, { ...settings, radioTargets });
}

/** The settings of the parser for a file, without radio targets, which are found in the tree. */
export function syntaxSettings(file: FileSettings, options: ParseOptions = {}): SyntaxSettings {
  return {
    todo: todoWordsOf(file),
    links: file.links,
    radioTargets: [],
    inlineTasks: options.inlineTasks ?? false,
    oddLevels: file.startup.some((word) => word.toLowerCase() === "odd"),
  };
}

/** The TODO words of a file; a word is done if it is done in one of its sequences. */
function todoWordsOf({ todo }: FileSettings): SyntaxSettings["todo"] {
  const words = new Map<string, boolean>();
  for (const { word, done } of todo) words.set(word, done || words.get(word) === true);
  return words;
}

function buildTree({ text, headlines }: Outline, settings: SyntaxSettings): NodeOf<"org-data"> {
  const reading = startReading(text, { begin: 0, end: text.length }, { settings, filter: null });
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
