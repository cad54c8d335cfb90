import { findBlocks } from "../outline/file-keywords.ts";
import { indentationAt, skipSpaceBack, startOfLine } from "../text/lines.ts";

const heading = /^\*+ /;
const drawerEnd = /^[ \t]*:end:[ \t]*$/i;
const drawerBegin = /^[ \t]*:(?!end:)[\w-]+:[ \t]*$/i;

/** The column in which Emacs begins a new line at an offset: that of the element above it, 0 below a heading. */
export function indentForLine(text: string, at: number): number {
  const end = skipSpaceBack(text, at);
  if (end === 0) return 0;
  const line = startOfLine(text, end);
  const above = text.slice(line, end);
  if (heading.test(above)) return 0;
  if (drawerEnd.test(above)) return indentationAt(text, drawerStart(text, line) ?? line);
  if (/^[ \t]*#\+end_/i.test(above)) {
    const [block] = findBlocks(text, { begin: sectionStart(text, line), end }).slice(-1);
    return indentationAt(text, block?.end === end ? block.begin : line);
  }
  return indentationAt(text, line);
}

function drawerStart(text: string, from: number): number | null {
  for (let line = startOfLine(text, from - 1); line > 0; line = startOfLine(text, line - 1)) {
    const written = text.slice(line, text.indexOf("\n", line));
    if (heading.test(written)) return null;
    if (drawerBegin.test(written)) return line;
  }
  return null;
}

function sectionStart(text: string, from: number): number {
  let line = startOfLine(text, from);
  while (line > 0 && !heading.test(text.slice(line, line + 64))) line = startOfLine(text, line - 1);
  return line;
}
