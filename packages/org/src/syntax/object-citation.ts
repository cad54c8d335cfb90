import { alphanumeric, wordConstituent } from "../text/emacs-characters.ts";
import { matchAt, skipSpaceBack } from "../text/lines.ts";
import type { OrgNode } from "./node.ts";
import { makeObject, matchIn, objectsInside, type Region, textNode } from "./object.ts";
import { restrictions } from "./restriction.ts";

const start = new RegExp(`\\[cite(?:/([/_\\-${alphanumeric}]+))?:[\\t\\n ]*`, "iuy");
const key = new RegExp(`@([-.:?!\`'/*@+|(){}<>&_^$#%~${wordConstituent}]+)`, "uy");

/** Reads a citation, `[cite/style:common prefix;prefix @key suffix;…;common suffix]`. */
export function readCitation(region: Region, at: number): OrgNode | null {
  const { text, end, pairs } = region;
  const match = matchIn(region, start, at);
  const close = match === null ? -1 : pairs.closing(at, end);
  if (match === null || close === -1) return null;
  const from = at + match[0].length;
  const first = nextKey(region, from, close + 1);
  if (first === null) return null;
  const before = text.slice(from, first.end).lastIndexOf(";");
  const prefixEnd = before === -1 ? from : from + before;
  const last = skipSpaceBack(text, close, at);
  const behind = text.slice(first.end, last).lastIndexOf(";");
  const suffixFrom = first.end + behind + 1;
  const hasSuffix = behind !== -1 && nextKey(region, suffixFrom, last) === null;
  return makeObject(region, {
    type: "citation",
    begin: at,
    own: close + 1,
    contents: { begin: before === -1 ? from : prefixEnd + 1, end: hasSuffix ? suffixFrom : last },
    properties: {
      style: match[1] ?? null,
      prefix: objectsInside(region, from, prefixEnd, restrictions.reference),
      suffix: hasSuffix ? objectsInside(region, suffixFrom, last, restrictions.reference) : [],
    },
  });
}

/** Reads the references of a citation, which end at semicolons. What has no key behind the last of them is text. */
export function readReferences(region: Region): readonly OrgNode[] {
  const { reading, end } = region;
  const references: OrgNode[] = [];
  for (let at = region.begin; at < end; ) {
    const found = nextKey(region, at, end);
    if (found === null) {
      references.push(textNode(at, end));
      break;
    }
    const semicolon = reading.search.text(";", found.end, end);
    const suffixEnd = semicolon === -1 ? end : semicolon;
    const after = semicolon === -1 ? end : semicolon + 1;
    references.push({
      type: "citation-reference",
      begin: at,
      end: after,
      contentsBegin: -1,
      contentsEnd: -1,
      postBlank: 0,
      postAffiliated: at,
      affiliated: null,
      properties: {
        key: found.name,
        prefix: objectsInside(region, at, found.begin, restrictions.reference),
        suffix: objectsInside(region, found.end, suffixEnd, restrictions.reference),
      },
      children: [],
    });
    at = after;
  }
  return references;
}

type Key = { readonly name: string; readonly begin: number; readonly end: number };

function nextKey({ reading, text }: Region, from: number, end: number): Key | null {
  for (let at = reading.search.text("@", from, end); at !== -1; at = reading.search.text("@", at + 1, end)) {
    const name = matchAt(key, text, at)?.[1]?.slice(0, end - at - 1);
    if (name !== undefined && name !== "") return { name, begin: at, end: at + 1 + name.length };
  }
  return null;
}
