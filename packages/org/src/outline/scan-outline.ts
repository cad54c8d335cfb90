import { endOfLine, nextLine } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import { findFileKeywords, nextHeadline, type ReadSetupFile } from "./file-keywords.ts";
import { readSettings } from "./file-settings.ts";
import type { OrgVariables } from "./org-variables.ts";
import type { FileSettings, Headline, Outline } from "./outline.ts";
import { scanFileDrawer, scanPropertyDrawer } from "./scan-drawer.ts";
import { scanHeading, type TodoWords } from "./scan-heading.ts";
import { logReader, scanPlanning } from "./scan-section.ts";

/** With `inlineTasks`, fifteen stars and more are no headline. Without `readSetup`, no `#+SETUPFILE:` is read. */
export type ScanOptions = {
  readonly inlineTasks?: boolean;
  readonly readSetup?: ReadSetupFile;
  readonly variables?: OrgVariables;
};

type Draft = { -readonly [Key in keyof Headline]: Headline[Key] };

const firstInlineLevel = 15;

/** The outline of a text of Org, as Emacs would read it. Takes any text, in linear time, and never throws. */
export function scanOutline(text: string, options: ScanOptions = {}): Outline {
  const settings = readSettings(findFileKeywords(text, options.readSetup), options.variables);
  const headlines = scanHeadlines(text, settings, options);
  return {
    text,
    settings,
    sectionEnd: headlines[0]?.begin ?? text.length,
    properties: scanFileDrawer(text),
    headlines,
  };
}

/** All headlines of a text. */
export function scanHeadlines(
  text: string,
  settings: FileSettings,
  options: ScanOptions,
): readonly Headline[] {
  const words = todoWords(settings);
  const readLog = logReader(text);
  const drafts: Draft[] = [];
  const open: Draft[] = [];
  let begin = nextOfOutline(text, 0, options);
  while (begin < text.length) {
    const heading = scanHeading(text, begin, endOfLine(text, begin), words);
    const sectionEnd = nextOfOutline(text, begin + 1, options);
    const section = scanSection(text, { begin, end: sectionEnd }, readLog);
    closeSubtrees(open, heading.level, begin);
    const parent = open.at(-1)?.index ?? -1;
    const draft: Draft = { begin, end: text.length, index: drafts.length, parent, ...heading, ...section };
    drafts.push(draft);
    open.push(draft);
    begin = sectionEnd;
  }
  return drafts;
}

function nextOfOutline(text: string, from: number, { inlineTasks = false }: ScanOptions): number {
  let at = nextHeadline(text, from);
  while (inlineTasks && isInlineTask(text, at)) at = nextHeadline(text, at + 1);
  return at;
}

function isInlineTask(text: string, at: number): boolean {
  return text.startsWith("*".repeat(firstInlineLevel), at);
}

function scanSection(text: string, { begin, end }: Range, readLog: ReturnType<typeof logReader>) {
  const lineEnd = nextLine(text, begin);
  const planning = lineEnd < end ? scanPlanning(text, lineEnd) : null;
  const properties = scanPropertyDrawer(text, planning?.end ?? lineEnd, end);
  return { lineEnd, sectionEnd: end, planning, properties, ...readLog({ begin: lineEnd, end }) };
}

/** Closes all open subtrees down to a level, which end at `end`. */
function closeSubtrees(open: Draft[], level: number, end: number): void {
  for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) {
    last.end = end;
    open.pop();
  }
}

/** The TODO words of a file, with whether they are done; a word of two lines is done if one of them says so. */
export function todoWords({ todo }: FileSettings): TodoWords {
  const words = new Map<string, boolean>();
  for (const { word, done } of todo) words.set(word, done || words.get(word) === true);
  return words;
}
