import { endOfLine, skipBlanksBack } from "../text/lines.ts";

/** Where the lines are that close something, so that an unclosed block costs no search to the end of the file. */
export type Closers = {
  /** The start of the first line from `from` on that is only this closer, and ends at `limit` or before; -1 if there is none. */
  readonly line: (closer: string, from: number, limit: number) => number;
  /** Where the first `\end{NAME}` at the end of a line begins, with the same bounds; -1 if there is none. */
  readonly environment: (name: string, from: number, limit: number) => number;
};

const blockEnd = /#\+end(?:[_:][^\n]*)?[ \t]*(?![^\n])/gi;
const drawerEnd = /:end:[ \t]*(?![^\n])/gi;
const environmentEnd = /\\end\{([a-z0-9*]+)\}[ \t]*(?![^\n])/gi;

/** Finds the closing lines of a part of a text: `#+end_NAME`, `#+end`, `#+end:` and `:end:`, in any case. */
export function findClosers(text: string, begin: number, end: number): Closers {
  const part = begin === 0 && end === text.length ? text : text.slice(begin, end);
  const places = new Map<string, number[]>();
  const note = (closer: string, at: number): void => {
    const known = places.get(closer);
    if (known === undefined) places.set(closer, [at]);
    else known.push(at);
  };
  for (const { 0: whole, index } of part.matchAll(blockEnd)) {
    const start = startOfLineIfBlank(part, index);
    if (start !== -1)
      note(whole.slice(0, skipBlanksBack(whole, whole.length, 0)).toLowerCase(), begin + start);
  }
  for (const { index } of part.matchAll(drawerEnd)) {
    const start = startOfLineIfBlank(part, index);
    if (start !== -1) note(":end:", begin + start);
  }
  for (const { 1: name = "", index } of part.matchAll(environmentEnd))
    note(`\\end{${name.toLowerCase()}}`, begin + index);
  const find = (closer: string, from: number, limit: number): number => {
    const at = firstFrom(places.get(closer.toLowerCase()) ?? [], from);
    return at !== -1 && endOfLine(text, at) <= limit ? at : -1;
  };
  return { line: find, environment: (name, from, limit) => find(`\\end{${name}}`, from, limit) };
}

/** The start of the line of an offset, if only blanks stand before it; else -1. */
function startOfLineIfBlank(text: string, at: number): number {
  let start = at;
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start -= 1;
  return start === 0 || text[start - 1] === "\n" ? start : -1;
}

/** The first of ascending numbers that is not below `from`; -1 if there is none. */
function firstFrom(numbers: readonly number[], from: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return numbers[low] ?? -1;
}
