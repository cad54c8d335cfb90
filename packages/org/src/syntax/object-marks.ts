import { parseTimestamp } from "../outline/scan-timestamp.ts";
import { wordConstituent } from "../text/emacs-characters.ts";
import { skipBlanks, skipBlanksBack, trimmed } from "../text/lines.ts";
import { noProperties } from "./element.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import { makeObject, matchIn, objectsInside, type Region } from "./object.ts";
import { timestampNode } from "./object-timestamp.ts";
import { restrictions } from "./restriction.ts";

/** Reads a timestamp. */
export function readTimestampObject(region: Region, at: number): OrgNode | null {
  const { text, end } = region;
  if (!mayEnd(region, at)) return null;
  const stamp = parseTimestamp(text, at, end);
  return stamp === null ? null : timestampNode(text, stamp, end);
}

/** False where no bracket closes on the line, or a diary expression has no parenthesis that does. */
function mayEnd({ reading, text, end }: Region, at: number): boolean {
  const diary = text.startsWith("<%%(", at);
  const close = reading.search.scan(diary ? "end of diary" : "end of stamp", at, end, (from, to) => {
    for (let place = from; place < to; place += 1) {
      const code = text.charCodeAt(place);
      if (code === 0x3e || code === 0x0a || (code === 0x5d && !diary)) return place;
    }
    return -1;
  });
  if (close === -1 || text[close] === "\n") return false;
  return !diary || reading.search.text(")", at, close) !== -1;
}

const cookie = /\[\d*(?:%|\/\d*)\]/y;

/** Reads a statistics cookie, `[2/5]` or `[40%]`. */
export function readCookie(region: Region, at: number): OrgNode | null {
  const value = matchIn(region, cookie, at)?.[0];
  if (value === undefined) return null;
  return makeObject(region, {
    type: "statistics-cookie",
    begin: at,
    own: at + value.length,
    properties: { value },
  });
}

const target = /<<([^<>\n\r \t](?:[^<>\n\r]*[^<>\n\r \t])?)>>/y;
const radioTarget = /<<<([^<>\n\r \t](?:[^<>\n\r]*[^<>\n\r \t])?)>>>/y;

/** Reads a target, `<<text>>`. */
export function readTargetObject(region: Region, at: number): OrgNode | null {
  const [whole, value = ""] = matchIn(region, target, at) ?? [];
  if (whole === undefined) return null;
  return makeObject(region, { type: "target", begin: at, own: at + whole.length, properties: { value } });
}

/** Reads a radio target, `<<<text>>>`. */
export function readRadioTarget(region: Region, at: number): OrgNode | null {
  const [whole, value = ""] = matchIn(region, radioTarget, at) ?? [];
  if (whole === undefined) return null;
  return makeObject(region, {
    type: "radio-target",
    begin: at,
    own: at + whole.length,
    contents: { begin: at + 3, end: at + 3 + value.length },
    properties: { value },
  });
}

/** Reads a line break, `\\` at the end of a line. */
export function readLineBreak({ text, begin, end }: Region, at: number): NodeOf<"line-break"> | null {
  if (at > begin && text[at - 1] === "\\") return null;
  const after = skipBlanks(text, at + 2, end);
  if (after < end && text[after] !== "\n") return null;
  return {
    type: "line-break",
    begin: at,
    end: Math.min(end, after + 1),
    contentsBegin: -1,
    contentsEnd: -1,
    postBlank: 0,
    postAffiliated: at,
    affiliated: null,
    properties: noProperties,
    children: [],
  };
}

const macroStart = /\{\{\{([a-zA-Z][-a-zA-Z0-9_]*)/y;

/** Reads a macro, `{{{name(argument, …)}}}`. It is never expanded. */
export function readMacro(region: Region, at: number): OrgNode | null {
  const { reading, text, end } = region;
  const [start, key = ""] = matchIn(region, macroStart, at) ?? [];
  if (start === undefined) return null;
  const after = at + start.length;
  const close = text[after] === "(" ? reading.search.text(")}}}", after + 1, end) : after;
  const own = text[after] === "(" ? close + 4 : after + 3;
  if (close === -1 || own > end || !text.startsWith("}}}", own - 3)) return null;
  return makeObject(region, {
    type: "macro",
    begin: at,
    own,
    properties: {
      key: key.toLowerCase(),
      args: text[after] === "(" ? splitArguments(text.slice(after + 1, close)) : [],
      value: text.slice(at, own),
    },
  });
}

/** The arguments between commas; `\,` is a comma of an argument. */
function splitArguments(written: string): readonly string[] {
  const args = [""];
  const add = (text: string): void => {
    args[args.length - 1] += text;
  };
  const pieces = trimmed(written)
    .replace(/[ \t\r\n]+/g, " ")
    .split(/(\\*,)/);
  for (const piece of pieces) {
    if (!piece.endsWith(",")) {
      add(piece);
      continue;
    }
    const slashes = piece.length - 1;
    add("\\".repeat(slashes >> 1));
    if (slashes % 2 === 1) add(",");
    else args.push("");
  }
  return args;
}

const snippetStart = /@@([-A-Za-z0-9]+):/y;

/** Reads an export snippet, `@@html:…@@`. */
export function readSnippet(region: Region, at: number): OrgNode | null {
  const { reading, text, end } = region;
  const [start, backend = ""] = matchIn(region, snippetStart, at) ?? [];
  if (start === undefined) return null;
  const from = at + start.length;
  const close = reading.search.text("@@", from, end);
  if (close === -1) return null;
  return makeObject(region, {
    type: "export-snippet",
    begin: at,
    own: close + 2,
    properties: { backend, value: text.slice(from, close) },
  });
}

const footnoteStart = new RegExp(
  `\\[fn:(?:([-_${wordConstituent}]+)?(:)|([-_${wordConstituent}]+)\\])`,
  "uy",
);

/** Reads a reference to a footnote, or a footnote in the text. */
export function readFootnote(region: Region, at: number): OrgNode | null {
  const { end, pairs } = region;
  const match = matchIn(region, footnoteStart, at);
  if (match === null) return null;
  const close = pairs.closing(at, end);
  if (close === -1) return null;
  const inline = match[2] !== undefined;
  return makeObject(region, {
    type: "footnote-reference",
    begin: at,
    own: close + 1,
    contents: inline ? { begin: at + match[0].length, end: close } : null,
    properties: { label: match[1] ?? match[3] ?? null, refType: inline ? "inline" : "standard" },
  });
}

/** Reads all cells of a row. */
export function readCells(region: Region): readonly NodeOf<"table-cell">[] {
  const { text, end } = region;
  const cells: NodeOf<"table-cell">[] = [];
  for (let at = region.begin; at < end; ) {
    const bar = text.slice(at, end).indexOf("|");
    const close = bar === -1 ? end : at + bar;
    const begin = skipBlanks(text, at, close);
    const contents = { begin, end: skipBlanksBack(text, close, begin) };
    cells.push({
      type: "table-cell",
      begin: at,
      end: bar === -1 ? end : close + 1,
      contentsBegin: contents.begin,
      contentsEnd: contents.end,
      postBlank: 0,
      postAffiliated: at,
      affiliated: null,
      properties: noProperties,
      children: objectsInside(region, contents.begin, contents.end, restrictions.cell),
    });
    at = bar === -1 ? end : close + 1;
  }
  return cells;
}
