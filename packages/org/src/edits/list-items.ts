import { indentationAt, isBlankFrom, nextLine, startOfLine } from "../text/lines.ts";
import { readItemStart, startsItem } from "../text/list-item.ts";
import type { Range } from "../text/range.ts";

/** An item of a list. `box` is its checkbox; `parent` is the index of the item above it, -1 at the top. */
export type EditableListItem = {
  readonly begin: number;
  readonly indent: number;
  readonly bullet: Range;
  readonly box: (Range & { readonly value: string }) | null;
  readonly parent: number;
};

/** A list with the lists inside it, in the order of the text. */
export type EditableList = { readonly items: readonly EditableListItem[]; readonly end: number };

const blockBegin = /^[ \t]*#\+begin_/i;
const blockEnd = /^[ \t]*#\+end_/i;
const drawerBegin = /^[ \t]*:(?!end:)[\w-]+:[ \t]*$/i;
const drawerEnd = /^[ \t]*:end:/i;

/** The list of the item that begins at a line, within bounds. Indentation decides, as for Emacs's list commands. */
export function readList(text: string, line: number, bounds: Range): EditableList {
  const above = itemsAbove(text, line, bounds.begin);
  const below = itemsBelow(text, line, { limit: bounds.end, indent: above.indent });
  const lines = [...above.lines, ...below.lines];
  return { items: withParents(lines.map((at) => readItem(text, at))), end: below.end };
}

function itemsAbove(
  text: string,
  start: number,
  limit: number,
): { lines: readonly number[]; indent: number } {
  const lines = [start];
  let top = { at: start, indent: indentationAt(text, start) };
  let leastOfText = Number.POSITIVE_INFINITY;
  for (let line = start; line > limit; ) {
    line = startOfLine(text, line - 1);
    if (line < limit || endsList(text, line)) break;
    const indent = indentationAt(text, line);
    if (startsItem(text, line)) {
      lines.unshift(line);
      if (indent < leastOfText) top = { at: line, indent };
    } else if (!isBlankFrom(text, line)) {
      const first = skipUp(text, line, limit);
      if (first === line && indent === 0) break;
      line = first;
      leastOfText = Math.min(leastOfText, indentationAt(text, first));
      if (leastOfText === 0) break;
    }
  }
  return { lines: lines.slice(lines.indexOf(top.at)), indent: top.indent };
}

function itemsBelow(
  text: string,
  start: number,
  { limit, indent: least }: { limit: number; indent: number },
): { lines: readonly number[]; end: number } {
  const lines: number[] = [];
  let end = nextLine(text, start);
  for (let line = nextLine(text, start); line < limit; line = nextLine(text, line)) {
    if (endsList(text, line)) return { lines, end };
    if (isBlankFrom(text, line)) continue;
    const indent = indentationAt(text, line);
    if (startsItem(text, line)) {
      if (indent < least) return { lines, end };
      lines.push(line);
    } else if (indent <= least) return { lines, end };
    else line = skipDown(text, line, limit);
    end = nextLine(text, line);
  }
  return { lines, end };
}

function endsList(text: string, line: number): boolean {
  const next = nextLine(text, line);
  return (
    isBlankFrom(text, line) &&
    next < text.length &&
    text[next - 1] === "\n" &&
    isBlankFrom(text, next) &&
    nextLine(text, next) > next
  );
}

function lineAt(text: string, line: number): string {
  return text.slice(line, nextLine(text, line)).replace(/\n$/, "");
}

/** From the last line of a block or drawer to its first. */
function skipUp(text: string, from: number, limit: number): number {
  const last = lineAt(text, from);
  const first = blockEnd.test(last) ? blockBegin : drawerEnd.test(last) ? drawerBegin : null;
  if (first === null) return from;
  for (let line = from; line > limit; ) {
    line = startOfLine(text, line - 1);
    if (first.test(lineAt(text, line))) return line;
  }
  return from;
}

/** From the first line of a block or drawer to its last. */
function skipDown(text: string, from: number, limit: number): number {
  const first = lineAt(text, from);
  const last = blockBegin.test(first) ? blockEnd : drawerBegin.test(first) ? drawerEnd : null;
  if (last === null) return from;
  for (let line = nextLine(text, from); line < limit; line = nextLine(text, line)) {
    if (last.test(lineAt(text, line))) return line;
  }
  return from;
}

function readItem(text: string, line: number): Omit<EditableListItem, "parent"> {
  const { begin, bullet, box } = readItemStart(text, line);
  return {
    begin: line,
    indent: indentationAt(text, line),
    bullet: { begin, end: begin + bullet.length },
    box: box === null ? null : { begin: box.begin, end: box.begin + "[X]".length, value: box.value },
  };
}

function withParents(items: readonly Omit<EditableListItem, "parent">[]): readonly EditableListItem[] {
  const open: { indent: number; parent: number }[] = [];
  return items.map((item, index) => {
    const last = open.at(-1);
    if (last === undefined) open.push({ indent: item.indent, parent: -1 });
    else if (item.indent > last.indent) open.push({ indent: item.indent, parent: index - 1 });
    else {
      while (open.length > 1 && (open.at(-1)?.indent ?? 0) > item.indent) open.pop();
    }
    return { ...item, parent: open.at(-1)?.parent ?? -1 };
  });
}
