import { isLineStart } from "../text/lines.ts";
import { isAlnumAt, isSpaceAt } from "./characters.ts";
import type { OrgNode } from "./node.ts";
import { makeObject, type Region } from "./object.ts";

/** Reads a subscript or superscript: in braces, in parentheses, a star, or a word. */
export function readScript(region: Region, at: number, type: "subscript" | "superscript"): OrgNode | null {
  const { text, begin, end } = region;
  if (at === begin || isLineStart(text, at) || isSpaceAt(text, at - 1)) return null;
  const first = text[at + 1];
  const brace = first === "{" ? endOfNested(text, at + 1, end) : -1;
  if (brace !== -1)
    return makeObject(region, {
      type,
      begin: at,
      own: brace,
      contents: { begin: at + 2, end: brace - 1 },
      properties: { useBrackets: true },
    });
  const own =
    first === "(" ? endOfNested(text, at + 1, end) : first === "*" ? at + 2 : endOfWord(text, at + 1, end);
  if (own === -1 || own > end) return null;
  return makeObject(region, {
    type,
    begin: at,
    own,
    contents: { begin: at + 1, end: own },
    properties: { useBrackets: false },
  });
}

const deepest = 3;

/** The end of a bracket of braces or parentheses, nested three deep at most; -1 if nothing closes it. */
function endOfNested(text: string, at: number, end: number): number {
  const open = text.charCodeAt(at);
  const close = open === 0x7b ? 0x7d : 0x29;
  let depth = 0;
  for (let to = at; to < end; to += 1) {
    const code = text.charCodeAt(to);
    if (code === close) depth -= 1;
    else if (code === open) depth += 1;
    if (depth === 0) return to + 1;
    if (depth > deepest) return -1;
  }
  return -1;
}

/** The end of a sign, letters, digits, `.`, `,` and `\` of which the last is a letter or digit; -1 if there is none. */
function endOfWord(text: string, at: number, end: number): number {
  let to = text[at] === "+" || text[at] === "-" ? at + 1 : at;
  let last = -1;
  while (to < end) {
    if (isAlnumAt(text, to)) last = to + 1;
    else if (!".,\\".includes(text[to] ?? "\n")) break;
    to += 1;
  }
  return last;
}
