import { whitespace, wordConstituent } from "../text/emacs-characters.ts";
import { endOfLine, skipBlanksBack } from "../text/lines.ts";

const blank = new RegExp(`[${whitespace}]`, "u");
const solid = `[^${whitespace}]`;
/** How lines begin, as sticky expressions at the start of a line. In Org, all of these know no case. */
export const patterns = {
  comment: /[ \t]*#(?: |(?![^\n]))/y,
  planning: /[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):/iy,
  propertiesStart: /[ \t]*:PROPERTIES:[ \t]*(?![^\n])/iy,
  property: new RegExp(`[ \\t]*:(${solid}+):(?:(?![^\\n])|[ \\t]+([^\\n]*))`, "uy"),
  drawer: new RegExp(`[ \\t]*:([-_${wordConstituent}]+):[ \\t]*(?![^\\n])`, "uy"),
  drawerEnd: /[ \t]*:END:[ \t]*(?![^\n])/iy,
  fixedWidth: /[ \t]*:(?: |(?![^\n]))/y,
  block: new RegExp(`[ \\t]*#\\+BEGIN_(${solid}+)`, "iuy"),
  listSkippedBlock: new RegExp(`[ \\t]*#\\+BEGIN(:|_${solid}+)`, "iuy"),
  dynamicBlock: new RegExp(`[ \\t]*#\\+BEGIN:[ \\t]*(${solid}+)(?:[ \\t]+([^\\n]+))?`, "iuy"),
  call: /[ \t]*#\+CALL:/iy,
  keyword: new RegExp(`[ \\t]*#\\+(${solid}+):`, "uy"),
  affiliated:
    /[ \t]*#\+(?:(CAPTION|RESULTS)(?:\[([^\n]*)\])?|(DATA|HEADERS?|LABEL|NAME|PLOT|RESNAME|RESULT|SOURCE|SRCNAME|TBLNAME|ATTR_[-_A-Za-z0-9]+)):[ \t]*/iy,
  footnote: new RegExp(`\\[fn:([-_${wordConstituent}]+)\\]`, "iuy"),
  rule: /[ \t]*-{5,}[ \t]*(?![^\n])/y,
  latex: /[ \t]*\\begin\{([A-Za-z0-9*]+)\}/y,
  tableRule: /[ \t]*\+(?:-+\+)+[ \t]*(?![^\n])/y,
  formula: /[ \t]*#\+TBLFM: +([^\n]*)/iy,
} as const;

const clockStart = /[ \t]*CLOCK:/iy;
const duration = /^=>[ \t]+\d+:\d\d[ \t]*$/;
const clockStamp = /^[ \t]+\[\d{4}-\d\d-\d\d(?: [^\n]*)?\][ \t]*$/;
const clockRange = /^[ \t]+\[\d{4}-\d\d-\d\d(?: [^\n]*?)?\]--\[\d{4}-\d\d-\d\d(?: [^\n]*)?\]$/;

/** True for a line `CLOCK:` with a stamp, a range and its duration, or a duration alone. */
export function isClock(text: string, line: number): boolean {
  clockStart.lastIndex = line;
  if (!clockStart.test(text)) return false;
  const rest = text.slice(clockStart.lastIndex, endOfLine(text, line));
  const arrow = rest.lastIndexOf("=>");
  const before = arrow === -1 ? -1 : skipBlanksBack(rest, arrow, 0);
  if (before === arrow || !duration.test(rest.slice(arrow))) return clockStamp.test(rest);
  return before === 0 || clockRange.test(rest.slice(0, before));
}

/** The key of a line `#+KEY[second]:`; null if the line is none. */
export function keyWithSecond(text: string, line: number): string | null {
  const written = text.slice(line, endOfLine(text, line));
  const start = written.indexOf("#+") + 2;
  const gap = written.slice(start).search(blank);
  const close = written.lastIndexOf("]:");
  const open = written.slice(0, gap === -1 ? close : Math.min(close, start + gap)).lastIndexOf("[");
  return close !== -1 && open > start ? written.slice(start, open) : null;
}
