import { whitespace, wordConstituent } from "../emacs-characters.ts";

const solid = `[^${whitespace}]`;
const stamp = "\\[\\d{4}-\\d\\d-\\d\\d(?: [^\\n]*?)?\\]";
const duration = "[ \\t]+=>[ \\t]+\\d+:\\d\\d";

/** How lines begin, as sticky expressions at the start of a line. In Org, all of these know no case. */
export const patterns = {
  comment: /[ \t]*#(?: |(?![^\n]))/y,
  planning: /[ \t]*(?:CLOSED|DEADLINE|SCHEDULED):/iy,
  propertiesStart: /[ \t]*:PROPERTIES:[ \t]*(?![^\n])/iy,
  property: new RegExp(`[ \\t]*:(${solid}+):(?:(?![^\\n])|[ \\t]+([^\\n]*?))[ \\t]*(?![^\\n])`, "uy"),
  drawer: new RegExp(`[ \\t]*:([-_${wordConstituent}]+):[ \\t]*(?![^\\n])`, "uy"),
  drawerEnd: /[ \t]*:END:[ \t]*(?![^\n])/iy,
  fixedWidth: /[ \t]*:(?: |(?![^\n]))/y,
  clock: new RegExp(
    `[ \\t]*CLOCK:(?:[ \\t]+${stamp}(?:--${stamp}${duration})?|${duration})[ \\t]*(?![^\\n])`,
    "iy",
  ),
  block: new RegExp(`[ \\t]*#\\+BEGIN_(${solid}+)`, "iuy"),
  listSkippedBlock: new RegExp(`[ \\t]*#\\+BEGIN(:|_${solid}+)`, "iuy"),
  dynamicBlock: new RegExp(`[ \\t]*#\\+BEGIN:[ \\t]*(${solid}+)(?:[ \\t]+([^\\n]+))?`, "iuy"),
  call: /[ \t]*#\+CALL:/iy,
  keyword: new RegExp(`[ \\t]*#\\+(${solid}+):`, "uy"),
  keywordWithSecond: new RegExp(`[ \\t]*#\\+(${solid}+)\\[[^\\n]*\\]:`, "uy"),
  affiliated:
    /[ \t]*#\+(?:(CAPTION|RESULTS)(?:\[([^\n]*)\])?|(DATA|HEADERS?|LABEL|NAME|PLOT|RESNAME|RESULT|SOURCE|SRCNAME|TBLNAME|ATTR_[-_A-Za-z0-9]+)):[ \t]*/iy,
  footnote: new RegExp(`\\[fn:([-_${wordConstituent}]+)\\]`, "iuy"),
  rule: /[ \t]*-{5,}[ \t]*(?![^\n])/y,
  latex: /[ \t]*\\begin\{([A-Za-z0-9*]+)\}/y,
  item: /(?:[ \t]*(?:[-+]|\d+[.)])|[ \t]+\*)(?:[ \t]+|(?![^\n]))/y,
  itemStart:
    /[ \t]*((?:[-+*]|(?:\d+|[A-Za-z])[.)])(?:[ \t]+|(?![^\n])))(?:\[@(?:start:)?(\d+|[A-Za-z])\][ \t]*)?(?:(\[[ X-]\])(?:[ \t]+|(?![^\n])))?/iy,
  tableRule: /[ \t]*\+(?:-+\+)+[ \t]*(?![^\n])/y,
  formula: /[ \t]*#\+TBLFM: +([^\n]*)/iy,
} as const;
