const tabWidth = 8;

/** The end of the line that an offset is in, its line feed not included. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** The start of the line after the line of an offset. */
export function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** The first offset from `at` on, before `end`, that holds no space or tab. */
export function skipBlanks(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && isBlank(text.charCodeAt(to))) to += 1;
  return to;
}

/** The lowest offset, from `start` on, with nothing but spaces and tabs between it and `end`. */
export function skipBlanksBack(text: string, end: number, start: number): number {
  let to = end;
  while (to > start && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return to;
}

/** True where nothing but spaces and tabs follows on the line of an offset. */
export function isBlankFrom(text: string, at: number): boolean {
  return skipBlanks(text, at, text.length) === endOfLine(text, at);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** The start of the line that an offset is in. */
export function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** True at the start of a line. */
export function isLineStart(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 0x0a;
}

/** The first offset from `at` on, up to `limit`, that holds no space, tab or line end. */
export function skipSpace(text: string, at: number, limit: number): number {
  let to = at;
  while (to < limit && isSkipped(text.charCodeAt(to))) to += 1;
  return to;
}

/** The lowest offset, from `start` on, with nothing but spaces, tabs and line ends between it and `end`. */
export function skipSpaceBack(text: string, end: number, start = 0): number {
  let to = end;
  while (to > start && isSkipped(text.charCodeAt(to - 1))) to -= 1;
  return to;
}

/** Where an element ends whose last own line ends at `at`: after the blank lines that follow it. */
export function afterBlankLines(text: string, at: number, limit: number): number {
  if (at < limit && !isSkipped(text.charCodeAt(at)) && isLineStart(text, at)) return at;
  const to = skipSpace(text, at, limit);
  return to === text.length ? to : startOfLine(text, to);
}

/** The end of the last line of a stretch that is not blank, its line feed included. */
export function endOfLastLine(text: string, end: number, start: number): number {
  return nextLine(text, skipSpaceBack(text, end, start));
}

/** How many lines a stretch has; one that no line feed ends counts. */
export function countLines(text: string, begin: number, end: number): number {
  if (end <= begin) return 0;
  let lines = text.charCodeAt(end - 1) === 0x0a ? 0 : 1;
  for (let at = text.indexOf("\n", begin); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** The column of the first character that is no space or tab on the line of an offset. Tab stops are eight columns apart. */
export function indentationAt(text: string, at: number): number {
  const line = startOfLine(text, at);
  const to = skipBlanks(text, line, text.length);
  let column = 0;
  for (let next = line; next < to; next += 1) column = columnAfter(column, text.charCodeAt(next) === 0x09);
  return column;
}

/** The blanks with which Emacs indents a line up to a column. */
export function blanksTo(column: number): string {
  return "\t".repeat(Math.floor(column / tabWidth)) + " ".repeat(column % tabWidth);
}

/** The column after a character of one column or a tab. */
export function columnAfter(column: number, isTab: boolean): number {
  return isTab ? column + tabWidth - (column % tabWidth) : column + 1;
}

/** The match of a sticky expression at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** True where a sticky expression matches at an offset. */
export function testAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** A text without white space at its ends, as `org-trim` makes it. */
export function trimmed(text: string): string {
  return text.slice(skipSpace(text, 0, text.length), skipSpaceBack(text, text.length, 0));
}

/** A trimmed text, or null where nothing is left of it. */
export function trimmedOrNull(text: string): string | null {
  const left = trimmed(text);
  return left === "" ? null : left;
}

function isSkipped(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}
