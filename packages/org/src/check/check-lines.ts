import { findBlocks } from "../outline/file-keywords.ts";
import type { Outline } from "../outline/outline.ts";
import { wordConstituent } from "../text/emacs-characters.ts";
import type { Range } from "../text/range.ts";
import { type OrgProblem, quoteExcerpt } from "./check-problem.ts";

const drawerLine = new RegExp(`^[ \\t]*:([-_${wordConstituent}]+):[ \\t]*$`, "u");
const propertyLine = /^[ \t]*:\S+:(?:[ \t].*)?$/;
const blockLine = /^[ \t]*#\+(begin|end)_(\S+)/i;
const dynamicBlock = /^[ \t]*#\+(begin|end):/i;
const planningLine = /^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<[]/;
const keywordWithoutColon =
  /^[ \t]*#\+(title|author|date|todo|seq_todo|typ_todo|filetags|property|category|startup|options|archive|name|caption|link|setupfile|include|results|header)[ \t]+\S/i;
const clockLine = /^[ \t]*CLOCK:/;

/** `at` is the offset of its first character that is not blank. */
type Line = Range & { readonly at: number; readonly text: string };
type Open = { readonly line: Line; readonly name: string };

/** Problems of lines that mean something only in their place: drawers, blocks, planning, clocks and keywords. */
export function checkLines(outline: Outline): readonly OrgProblem[] {
  const sections = [
    { begin: 0, end: outline.sectionEnd, planning: null, properties: outline.properties, clocks: [] },
    ...outline.headlines.map((headline) => ({
      ...headline,
      begin: headline.lineEnd,
      end: headline.sectionEnd,
    })),
  ];
  return sections.flatMap((section) => {
    const { planning, properties, clocks } = section;
    const blocks = findBlocks(outline.text, section);
    const skipped = [planning, properties, ...blocks].filter((range) => range !== null);
    const clockBegins = new Set(clocks.map(({ begin }) => begin));
    const lines = linesOf(outline.text, section).filter(outside(skipped));
    const placed = section.begin !== 0 || section.end !== outline.sectionEnd;
    return [
      ...checkDrawers(lines),
      ...checkBlocks(lines),
      ...lines.flatMap((line) => checkLine(line, { placed, clockBegins })),
    ];
  });
}

function linesOf(text: string, { begin, end }: Range): readonly Line[] {
  const lines: Line[] = [];
  for (let at = begin; at < end; ) {
    const feed = text.indexOf("\n", at);
    const to = feed === -1 || feed >= end ? end : feed;
    const line = text.slice(at, to);
    lines.push({ begin: at, end: to, at: at + line.search(/\S|$/), text: line });
    at = to + 1;
  }
  return lines;
}

/** Makes a filter, for lines from top to bottom, that drops lines which touch one of some ranges. */
function outside(ranges: readonly Range[]): (line: Line) => boolean {
  const sorted = ranges.toSorted((one, other) => one.begin - other.begin);
  let next = 0;
  return ({ begin, end }) => {
    while ((sorted[next]?.end ?? Number.POSITIVE_INFINITY) <= begin) next += 1;
    return end <= (sorted[next]?.begin ?? Number.POSITIVE_INFINITY);
  };
}

function checkDrawers(lines: readonly Line[]): readonly OrgProblem[] {
  const problems: OrgProblem[] = [];
  let open: Open | null = null;
  for (const line of lines) {
    const name = drawerLine.exec(line.text)?.[1];
    if (name === undefined) {
      if (open?.name === "PROPERTIES" && !propertyLine.test(line.text)) {
        const message = `${quoteExcerpt(line.text.trim())} is not a property, so Emacs ignores the whole property drawer. Move or remove the line.`;
        problems.push({ at: line.at, code: "broken-property-drawer", message });
        open = { line: open.line, name: "" };
      }
      continue;
    }
    if (name.toUpperCase() !== "END") {
      if (open !== null && open.name === "PROPERTIES") continue;
      if (open !== null) problems.push(unclosedDrawer(open));
      open = { line, name: name.toUpperCase() };
      continue;
    }
    if (open === null) {
      problems.push({
        at: line.at,
        code: "stray-drawer-end",
        message: "':END:' closes no drawer. Remove it.",
      });
    } else if (open.name === "PROPERTIES") {
      const message =
        "this property drawer is ignored. Move it right below its heading, or below the planning line.";
      problems.push({ at: open.line.at, code: "misplaced-property-drawer", message });
    }
    open = null;
  }
  return open === null ? problems : [...problems, unclosedDrawer(open)];
}

function unclosedDrawer({ line }: Open): OrgProblem {
  const message = `the drawer ${quoteExcerpt(line.text.trim())} is not closed. Add ':END:' before the next heading or drawer.`;
  return { at: line.at, code: "unclosed-drawer", message };
}

function checkBlocks(lines: readonly Line[]): readonly OrgProblem[] {
  const problems: OrgProblem[] = [];
  const open: Open[] = [];
  for (const line of lines) {
    const dynamic = dynamicBlock.exec(line.text)?.[1]?.toLowerCase();
    const [, mark = dynamic, written = ":"] = blockLine.exec(line.text) ?? [];
    const name = written.toLowerCase();
    if (mark?.toLowerCase() === "begin") open.push({ line, name });
    if (mark?.toLowerCase() !== "end") continue;
    const at = open.findLastIndex((one) => one.name === name);
    if (at === -1) {
      const message = `${quoteExcerpt(line.text.trim())} closes no block. Remove it.`;
      problems.push({ at: line.at, code: "stray-block-end", message });
    } else for (const each of open.splice(at).slice(1).map(unclosedBlock)) problems.push(each);
  }
  return [...problems, ...open.map(unclosedBlock)];
}

function unclosedBlock({ line, name }: Open): OrgProblem {
  const end = name === ":" ? "#+end:" : `#+end_${name}`;
  const message = `the block ${quoteExcerpt(line.text.trim())} is not closed. Add '${end}' before the next heading.`;
  return { at: line.at, code: "unclosed-block", message };
}

type Place = { readonly placed: boolean; readonly clockBegins: ReadonlySet<number> };

function checkLine({ at, text }: Line, { placed, clockBegins }: Place): readonly OrgProblem[] {
  if (planningLine.test(text)) {
    const where = placed ? "not right below its heading" : "below no heading";
    const message = `this planning line is ${where}, so it is read as text. Move it right below its heading.`;
    return [{ at, code: "misplaced-planning", message }];
  }
  if (clockLine.test(text) && placed && !clockBegins.has(at)) {
    const message = `${quoteExcerpt(text.trim())} is not a valid clock line. Write CLOCK: [YYYY-MM-DD Day HH:MM].`;
    return [{ at, code: "malformed-clock", message }];
  }
  const keyword = keywordWithoutColon.exec(text)?.[1];
  if (keyword === undefined) return [];
  return [
    {
      at,
      code: "keyword-without-colon",
      message: `'#+${keyword}' is read as text. Add a colon after it to make it a keyword.`,
    },
  ];
}
