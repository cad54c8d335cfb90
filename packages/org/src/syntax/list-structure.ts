import { endOfLastLine, indentationAt, matchAt, nextLine, skipBlanks, testAt } from "../text/lines.ts";
import { readItemStart, startsItem } from "../text/list-item.ts";
import type { ListItemExtent, ListStructure, ParserState } from "./parser-state.ts";
import { patterns } from "./patterns.ts";

/** The structure of the list that begins at the start of a line. Indentation decides; two blank lines end every item. */
export function readListStructure(reading: ParserState, begin: number, limit: number): ListStructure {
  const { text } = reading;
  const structure = new Map<number, ListItemExtent>();
  const open: ListItemExtent[] = [];
  let line = begin;
  while (true) {
    if (line >= limit) {
      closeAll(open, endOfLastLine(text, Math.min(line, limit), begin));
      return structure;
    }
    const first = skipBlanks(text, line, text.length);
    if (first >= text.length || text.charCodeAt(first) === 0x0a) {
      if (isSecondBlank(text, first)) {
        closeAll(open, line);
        return structure;
      }
    } else if (startsItem(text, line)) {
      const item = readItem(text, line);
      closeDeeper(open, item.indent, line);
      structure.set(line, item);
      open.push(item);
    } else {
      closeDeeper(open, indentationAt(text, line), endOfLastLine(text, line, begin));
      if (open.length === 0) return structure;
      line = skipClosed(reading, line, limit);
    }
    line = nextLine(text, line);
  }
}

/** Where an item's tag ends, from the place on where it may begin; -1 if it has none. What ends it is ` ::`. */
export function endOfTag(text: string, from: number, lineEnd: number): number {
  const rest = text.slice(from, lineEnd);
  for (let at = rest.lastIndexOf("::"); at > 0; at = rest.lastIndexOf("::", at - 1)) {
    if (isBlank(rest[at - 1]) && (at + 2 === rest.length || isBlank(rest[at + 2]))) return from + at - 1;
  }
  return -1;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** True where an inline task begins: a headline of fifteen stars or more. */
export function startsInlineTask(text: string, line: number): boolean {
  return testAt(inlineTask, text, line);
}

const inlineTask = /\*{15,} /y;

function readItem(text: string, line: number): ListItemExtent {
  const { bullet, bodyBegin } = readItemStart(text, line);
  const tagged = /^[-+*]/.test(bullet) && endOfTag(text, bodyBegin, lineEndOf(text, line)) !== -1;
  return { begin: line, indent: indentationAt(text, line), tagged, end: -1 };
}

function lineEndOf(text: string, line: number): number {
  const next = nextLine(text, line);
  return text.charCodeAt(next - 1) === 0x0a ? next - 1 : next;
}

function isSecondBlank(text: string, first: number): boolean {
  const second = skipBlanks(text, first + 1, text.length);
  return first < text.length && text.charCodeAt(second) === 0x0a;
}

function closeDeeper(open: ListItemExtent[], indent: number, end: number): void {
  for (let item = open.at(-1); item !== undefined && indent <= item.indent; item = open.at(-1)) {
    item.end = end;
    open.pop();
  }
}

function closeAll(open: readonly ListItemExtent[], end: number): void {
  for (const item of open) item.end = end;
}

/** Blocks and drawers inside an item hide what looks like another: the line that closes what this one opens, or this one. */
function skipClosed({ text, closers }: ParserState, line: number, limit: number): number {
  const block = matchAt(patterns.listSkippedBlock, text, line);
  const closed =
    block !== null
      ? closers.line(`#+end${block[1]}`, line, limit)
      : testAt(patterns.drawer, text, line)
        ? closers.line(":end:", line, limit)
        : -1;
  return closed === -1 ? line : closed;
}
