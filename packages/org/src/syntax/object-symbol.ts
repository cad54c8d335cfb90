import { whitespace, wordConstituent } from "../text/emacs-characters.ts";
import { entities } from "./entities.ts";
import type { OrgNode } from "./node.ts";
import { makeObject, matchIn, type Region } from "./object.ts";

const spaces = /\\(_ {1,20})/y;
const named = /\\(there4|sup[123]|frac[13][24]|[a-zA-Z]+)(?:(?![^\n])|(\{\})|(?![\p{L}\p{M}\p{Nl}]))/uy;

/** Reads an entity, such as `\alpha`. */
export function readEntity(region: Region, at: number): OrgNode | null {
  const blank = matchIn(region, spaces, at);
  const match = blank ?? matchIn(region, named, at);
  const name = match?.[1] ?? "";
  if (match === null || (blank === null && !entities.has(name))) return null;
  const braces = match[2] !== undefined;
  return makeObject(region, {
    type: "entity",
    begin: at,
    own: at + 1 + name.length + (braces ? 2 : 0),
    properties: { name, useBrackets: braces },
  });
}

const command = /\\[a-zA-Z]+\*?(?:\[[^\][\n{}]*\]|\{[^{}\n]*\})*/y;

/** Reads a fragment of LaTeX: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` or a command. */
export function readFragment(region: Region, at: number): OrgNode | null {
  const own = endOfFragment(region, at);
  if (own === -1) return null;
  return makeObject(region, {
    type: "latex-fragment",
    begin: at,
    own,
    properties: { value: region.text.slice(at, own) },
  });
}

function endOfFragment(region: Region, at: number): number {
  const { reading, text, end } = region;
  const next = text[at + 1];
  const after = (close: string): number => {
    const found = reading.search.text(close, at + 2, end);
    return found === -1 ? -1 : found + close.length;
  };
  if (text[at] === "$") return next === "$" ? after("$$") : endOfDollars(region, at);
  if (next === "(") return after("\\)");
  if (next === "[") return after("\\]");
  const match = matchIn(region, command, at);
  return match === null ? -1 : at + match[0].length;
}

/** What Emacs takes for punctuation, a bracket, a quote or white space: in ASCII a list of its own, beyond it what Unicode says. */
const follows = new RegExp(
  `[${whitespace}\\u0000-\\u001f\\u007f!#,.:;?@^\`"'()<>\\[\\]{}]|(?![\\u0000-\\u007f${wordConstituent}])\\p{P}`,
  "u",
);

function endOfDollars({ reading, text, begin, end }: Region, at: number): number {
  if (at > begin && text[at - 1] === "$") return -1;
  if (" \t\n,.;".includes(text[at + 1] ?? " ")) return -1;
  const close = reading.search.text("$", at + 1, end);
  if (close === -1 || " \t\n,.".includes(text[close - 1] ?? " ")) return -1;
  const after = text[close + 1] ?? "\n";
  if (close + 1 >= end) return close + 1;
  return follows.test(after) ? close + 1 : -1;
}
