import type { Range } from "../text/range.ts";
import { firstFrom } from "./agenda-times.ts";

/** How an agenda classifies a line of a section: text with objects, a property, a source block, a comment, or a line without timestamps. */
export type LineKind = "text" | "property" | "source" | "comment" | "none";

/** A section with each of its lines classified, below heading and planning. */
export type SectionLines = { readonly kindAt: (offset: number) => LineKind };

type Run = { readonly end: number; readonly kind: LineKind };

const blockStart = /^[ \t]*#\+begin_(\S+)(?:[ \t]|$)/i;
const blockEnd = /^[ \t]*#\+end_(\S+)[ \t]*$/i;
const latexStart = /^[ \t]*\\begin\{([A-Za-z0-9*]+)\}/;
const latexEnd = /\\end\{([A-Za-z0-9*]+)\}[ \t]*$/;
const inertBlocks: ReadonlySet<string> = new Set(["src", "example", "export", "comment"]);
const comment = /^\s*#(?: |$)/;
const without = /^[ \t]*(?::(?: |$)|CLOCK: \[|#\+(?!caption[:[])\S+?:|#\+(?:begin|end)_)|^%%\(/i;

/** Classifies the lines of a range, in linear time. */
export function readLines(text: string, range: Range, properties: Range | null): SectionLines {
  const lines = splitLines(text, range);
  const ends = findEnds(lines);
  const runs: Run[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) break;
    const last = inertUntil(line.text, at, ends);
    if (last !== null) {
      const kind = /src$/i.test(blockStart.exec(line.text)?.[1] ?? "") ? "source" : "none";
      runs.push({ end: line.end, kind: "none" });
      runs.push({ end: lines[last - 1]?.end ?? line.end, kind });
      runs.push({ end: lines[last]?.end ?? line.end, kind: "none" });
      at = last + 1;
      continue;
    }
    const inDrawer = properties !== null && line.end > properties.begin && line.end <= properties.end;
    runs.push({ end: line.end, kind: inDrawer ? "property" : kindOf(line.text) });
    at += 1;
  }
  return { kindAt: (offset) => runs[firstFrom(runs, ({ end }) => end > offset)]?.kind ?? "none" };
}

type Line = { readonly text: string; readonly end: number };

function splitLines(text: string, { begin, end }: Range): readonly Line[] {
  const lines: Line[] = [];
  for (let at = begin; at < end; ) {
    const feed = text.indexOf("\n", at);
    const next = feed === -1 || feed >= end ? end : feed + 1;
    lines.push({ text: text.slice(at, feed === -1 || feed >= end ? end : feed), end: next });
    at = next;
  }
  return lines;
}

/** The closing lines of blocks and LaTeX environments, by what they close. */
function findEnds(lines: readonly Line[]): ReadonlyMap<string, readonly number[]> {
  const ends = new Map<string, number[]>();
  for (const [index, { text }] of lines.entries()) {
    const block = blockEnd.exec(text)?.[1]?.toLowerCase();
    const environment = block === undefined && text.includes("\\end{") ? latexEnd.exec(text)?.[1] : undefined;
    const name = block ?? (environment === undefined ? undefined : `\\${environment}`);
    if (name === undefined) continue;
    const known = ends.get(name);
    if (known === undefined) ends.set(name, [index]);
    else known.push(index);
  }
  return ends;
}

/** The last line of a block without objects that begins at a line; null where none begins, or nothing closes it. */
function inertUntil(line: string, at: number, ends: ReadonlyMap<string, readonly number[]>): number | null {
  const block = blockStart.exec(line)?.[1]?.toLowerCase();
  const environment = block === undefined ? latexStart.exec(line)?.[1] : undefined;
  if (block !== undefined && !inertBlocks.has(block)) return null;
  const name = block ?? (environment === undefined ? undefined : `\\${environment}`);
  const known = name === undefined ? undefined : ends.get(name);
  if (known === undefined) return null;
  const last = known[firstFrom(known, (end) => end > at)];
  return last === undefined ? null : last;
}

function kindOf(line: string): LineKind {
  if (comment.test(line)) return "comment";
  return without.test(line) ? "none" : "text";
}

/** The parts of a line in which timestamps do not count: verbatim text and code, links, macros, targets, LaTeX, export snippets and inline source. */
export function inertSpans(line: string): readonly Range[] {
  return [...line.matchAll(inert)].map((match) => {
    const lead = match[1]?.length ?? 0;
    return { begin: match.index + lead, end: match.index + match[0].length };
  });
}

const inert = new RegExp(
  [
    "(?<![^\\s\\-('\"{])([])?([=~])(?=\\S)[^\\n]{0,300}?(?<=\\S)\\2(?![^\\s\\-.,:!?;'\")}[\\\\])",
    "\\[\\[[^\\n]{1,300}?\\]\\]",
    "\\{\\{\\{[^\\n]{1,300}?\\}\\}\\}",
    "<<[^\\n<>]{1,300}>>",
    "\\\\\\([^\\n]{1,300}?\\\\\\)",
    "@@[^\\n]{1,300}?@@",
    "(?<!\\$)\\$(?=[^\\s,.;$])[^$\\n]{0,300}(?<=[^\\s.,$])\\$(?![\\p{L}\\p{N}])",
    "\\[cite(?:/[^\\]\\n:]{0,100})?:[^\\]\\n]{0,300}\\]",
    "src_[^\\s{[]{1,30}(?:\\[[^\\n\\]]{0,300}\\])?\\{[^\\n}]{0,300}\\}",
  ].join("|"),
  "gu",
);
