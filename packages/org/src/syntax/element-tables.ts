import { endOfLine, matchAt, nextLine, skipBlanks, skipBlanksBack, testAt } from "../text/lines.ts";
import { type ElementStart, makeElement, readLater } from "./element.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import type { ParserState } from "./parser-state.ts";
import { patterns } from "./patterns.ts";
import { restrictions } from "./restriction.ts";

/** Reads a table of Org, or one of table.el. */
export function readTable(place: ElementStart, tableType: "org" | "table.el"): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  let end = at;
  do end = nextLine(text, end);
  while (end < limit && continues(text, end, tableType));
  end = Math.min(end, limit);
  const tblfm: string[] = [];
  let own = end;
  for (let match = formulaAt(text, own, limit); match !== null; match = formulaAt(text, own, limit)) {
    tblfm.unshift(match);
    own = nextLine(text, own);
  }
  return makeElement(place, {
    type: "table",
    own,
    contents: tableType === "org" ? { begin: at, end, mode: "table-row" } : null,
    properties: { tableType, tblfm, value: tableType === "org" ? null : text.slice(at, end) },
  });
}

/** True where a table of table.el begins: a rule of `+` and `-`, and one at its end. */
export function startsTableEl(reading: ParserState, at: number, limit: number): boolean {
  const { text } = reading;
  if (!testAt(patterns.tableRule, text, at)) return false;
  const known = reading.gridLines;
  if (at < known.begin || at > known.last || limit !== known.limit) {
    let last = at;
    for (
      let line = nextLine(text, at);
      line < limit && continues(text, line, "table.el");
      line = nextLine(text, line)
    )
      last = line;
    reading.gridLines = { begin: at, last, limit };
  }
  const { last } = reading.gridLines;
  return last !== at && testAt(patterns.tableRule, text, last);
}

/** Reads a row of a table. */
export function readRow({ reading, at }: ElementStart): NodeOf<"table-row"> {
  const { text } = reading;
  const bar = skipBlanks(text, at, text.length);
  const rule = text[bar + 1] === "-";
  const end = nextLine(text, at);
  const contents = { begin: bar + 1, end: skipBlanksBack(text, endOfLine(text, at), bar + 1) };
  return {
    type: "table-row",
    begin: at,
    end,
    contentsBegin: rule ? -1 : contents.begin,
    contentsEnd: rule ? -1 : contents.end,
    postBlank: 0,
    postAffiliated: at,
    affiliated: null,
    properties: { rowType: rule ? "rule" : "standard" },
    children: rule ? [] : readLater(reading, { ...contents, allowed: restrictions.row }),
  };
}

function continues(text: string, line: number, tableType: "org" | "table.el"): boolean {
  const first = text[skipBlanks(text, line, text.length)];
  return first === "|" || (tableType === "table.el" && first === "+");
}

function formulaAt(text: string, line: number, limit: number): string | null {
  if (line >= limit) return null;
  return matchAt(patterns.formula, text, line)?.[1] ?? null;
}
