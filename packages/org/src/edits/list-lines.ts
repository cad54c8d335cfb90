import { indentationAt, isBlankFrom, nextLine, startOfLine } from "../text/lines.ts";
import { startsItem } from "../text/list-item.ts";

const heading = /\*+ /y;
const stateNote = /[ \t]*- +State +(?:"\S+")? +from +(?:"\S+")? +\[\d{4}-\d\d-\d\d(?: [^\n]*?)?\]/y;

/** The column of the list that a new line at an offset would be in; null if it would be in none. */
export function listAbove(text: string, at: number): number | null {
  let top: number | null = null;
  let reference = 10_000;
  for (let end = at; end > 0; ) {
    const line = startOfLine(text, end - 1);
    end = line;
    if (isBlankFrom(text, line)) {
      if (isBlankFrom(text, startOfLine(text, line - 1)) && line > 0) return top;
      continue;
    }
    heading.lastIndex = line;
    if (heading.test(text) || /^[ \t]*:[\w-]+:[ \t]*$/.test(text.slice(line, nextLine(text, line)).trimEnd()))
      return top;
    const indent = indentationAt(text, line);
    if (startsItem(text, line)) {
      if (indent <= reference) top = indent;
      reference = Math.min(reference, indent);
    } else if (indent === 0) return top;
    else reference = Math.min(reference, indent);
  }
  return top;
}

/** The end of the state notes that begin at an offset. */
export function skipStateNotes(text: string, from: number): number {
  let at = from;
  while (true) {
    stateNote.lastIndex = at;
    if (at >= text.length || !stateNote.test(text)) return at;
    const indent = indentationAt(text, at);
    at = nextLine(text, at);
    while (at < text.length && !isBlankFrom(text, at) && indentationAt(text, at) > indent)
      at = nextLine(text, at);
  }
}
