import {
  countLines,
  endOfLastLine,
  endOfLine,
  isLineStart,
  nextLine,
  skipSpace,
  startOfLine,
} from "../text/lines.ts";
import { readItemStart } from "../text/list-item.ts";
import { type ElementContents, type ElementStart, makeElement, objectsLater, readLater } from "./element.ts";
import { endOfTag, readListStructure } from "./list-structure.ts";
import type { NodeOf, OrgNode } from "./node.ts";
import type { ListStructure } from "./parser-state.ts";
import { restrictions } from "./restriction.ts";

/** What Emacs calls the states of a checkbox. */
const checkboxStates: ReadonlyMap<string, "off" | "on" | "trans"> = new Map([
  [" ", "off"],
  ["X", "on"],
  ["-", "trans"],
]);

/** Reads a list. `known` is the structure of the list around it. */
export function readPlainList(place: ElementStart, known: ListStructure | null): OrgNode {
  const { reading, at, limit } = place;
  const { text } = reading;
  const structure = known?.has(at) === true ? known : readListStructure(reading, at, limit);
  const first = structure.get(at);
  let end = first?.end ?? nextLine(text, at);
  for (
    let next = structure.get(end);
    next !== undefined && next.indent === first?.indent;
    next = structure.get(end)
  )
    end = next.end;
  const own = Math.min(limit, endOfLastLine(text, end, at));
  return makeElement(place, {
    type: "plain-list",
    own,
    contents: { begin: at, end: own, mode: "item", structure },
    properties: {
      listType: /[ \t]*[A-Za-z0-9]/y.test(text.slice(at, at + 200))
        ? "ordered"
        : first?.tagged === true
          ? "descriptive"
          : "unordered",
    },
  });
}

/** Reads an item of a list whose structure is known. */
export function readItem({ reading, at, limit }: ElementStart, structure: ListStructure): NodeOf<"item"> {
  const { text } = reading;
  const known = structure.get(at)?.end ?? nextLine(text, at);
  const end = Math.min(limit, isLineStart(text, known) ? known : nextLine(text, known));
  const { bullet, counter, box, bodyBegin: body } = readItemStart(text, at);
  const lineEnd = endOfLine(text, at);
  const tagEnd = endOfTag(text, body, lineEnd);
  const ordered = /[.)]/.test(bullet);
  const from = tagEnd === -1 || ordered ? body : tagEnd + 3;
  const { begin, preBlank } = contentsFrom(text, { at, from, end });
  const contents: ElementContents | null =
    begin === -1 ? null : { begin, end: Math.min(end, endOfLastLine(text, end, at)), mode: null, structure };
  return {
    type: "item",
    begin: at,
    end,
    contentsBegin: contents?.begin ?? -1,
    contentsEnd: contents?.end ?? -1,
    postBlank: countLines(text, contents?.end ?? at, end),
    postAffiliated: at,
    affiliated: null,
    properties: {
      bullet,
      counter: counterOf(counter),
      checkbox: box === null ? null : (checkboxStates.get(box.value) ?? null),
      preBlank,
      tag: tagEnd === -1 || ordered ? [] : objectsLater(reading, body, tagEnd, restrictions.withoutLineBreak),
    },
    children: contents === null ? [] : readLater(reading, contents),
  };
}

/** Where an item's contents begin: behind its bullet, or at the first line below it that is not blank. */
function contentsFrom(
  text: string,
  { at, from, end }: { at: number; from: number; end: number },
): { begin: number; preBlank: number } {
  const first = skipSpace(text, from, end);
  if (first >= end) return { begin: -1, preBlank: 0 };
  const line = startOfLine(text, first);
  return line === at ? { begin: first, preBlank: 0 } : { begin: line, preBlank: countLines(text, at, line) };
}

function counterOf(written: string | null): number | null {
  if (written === null) return null;
  return /[A-Za-z]/.test(written) ? written.toUpperCase().charCodeAt(0) - 64 : Number(written);
}
