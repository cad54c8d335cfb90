import type { Headline, Outline } from "../outline/outline.ts";
import { endOfLine } from "../text/lines.ts";
import { inertSpans, readLines, type SectionLines } from "./agenda-places.ts";
import { firstFrom, type LineTime, timesOfLine } from "./agenda-times.ts";

/** `inactive`: inactive timestamps too. `objectsOnly`: only timestamps that are objects of Org's syntax, so none in drawers or verbatim text. */
export type TextTimeOptions = { readonly inactive: boolean; readonly objectsOnly: boolean };

/** The timestamps in each headline's own section, by the headline's index. */
export function timesByHeadline(
  outline: Outline,
  wanted: TextTimeOptions,
): ReadonlyMap<number, readonly LineTime[]> {
  const { text, headlines } = outline;
  const found = new Map<number, LineTime[]>();
  const opening = wanted.inactive ? /[<[]\d{4}-\d{2}-\d{2}[ >\]]/g : /<\d{4}-\d{2}-\d{2}[ >\]]/g;
  let index = 0;
  let lines: SectionLines | null = null;
  opening.lastIndex = outline.sectionEnd;
  for (let hit = opening.exec(text); hit !== null; hit = opening.exec(text)) {
    let headline = headlines[index];
    while (headline !== undefined && headline.sectionEnd <= hit.index) {
      index += 1;
      lines = null;
      headline = headlines[index];
    }
    if (headline === undefined) break;
    const line = { begin: text.lastIndexOf("\n", hit.index) + 1, end: endOfLine(text, hit.index) };
    opening.lastIndex = line.end;
    if (line.begin >= headline.lineEnd)
      lines ??= readLines(text, { begin: headline.lineEnd, end: headline.sectionEnd }, headline.properties);
    const times = timesThatCount({ text, ...line, headline, lines, wanted });
    const known = found.get(index);
    if (known === undefined) found.set(index, [...times]);
    else for (const each of times) known.push(each);
  }
  return found;
}

type LineOfHeadline = {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly headline: Headline;
  readonly lines: SectionLines | null;
  readonly wanted: TextTimeOptions;
};

function timesThatCount({ text, begin, end, headline, lines, wanted }: LineOfHeadline): readonly LineTime[] {
  const line = text.slice(begin, end);
  const times = timesOfLine(line, wanted);
  if (times.length === 0) return times;
  const { planning, titleRange } = headline;
  const isHeading = lines === null || begin < headline.lineEnd;
  const isPlanning = planning !== null && begin >= planning.begin && begin < planning.end;
  const kind = isHeading ? "text" : (lines?.kindAt(begin) ?? "none");
  const inert = kind === "text" ? inertSpans(line) : [];
  return times.filter(({ role, at }) => {
    if (role === "range" && !wanted.objectsOnly) return kind !== "source" && kind !== "comment";
    if (isPlanning || (kind !== "text" && (kind !== "property" || wanted.objectsOnly))) return false;
    if (isHeading && (begin + at < titleRange.begin || begin + at >= titleRange.end)) return false;
    return (inert[firstFrom(inert, ({ end }) => end > at)]?.begin ?? at + 1) > at;
  });
}
