import { trimmedOrNull } from "../text/lines.ts";
import { startsWord } from "./characters.ts";
import type { OrgNode } from "./node.ts";
import { makeObject, matchIn, type Region } from "./object.ts";

const call = /call_([^ \t\n[(]+)(?=[([])/y;
const source = /src_([^ \t\n[{]+)(?=[{[])/y;

/** Reads `call_NAME[…](…)[…]`. */
export function readCall(region: Region, at: number): OrgNode | null {
  const match = startOf(region, at, call);
  if (match === null) return null;
  const inside = bracketed(region, at + match[0].length, "[");
  const given = bracketed(region, inside.end, "(");
  if (given.value === null) return null;
  const after = bracketed(region, given.end, "[");
  return makeObject(region, {
    type: "inline-babel-call",
    begin: at,
    own: after.end,
    properties: {
      call: match[1] ?? "",
      insideHeader: onOneLine(inside.value),
      arguments: trimmedOrNull(given.value) === null ? null : given.value,
      endHeader: onOneLine(after.value),
      value: region.text.slice(at, after.end),
    },
  });
}

/** Reads `src_LANGUAGE[…]{…}`. */
export function readSource(region: Region, at: number): OrgNode | null {
  const match = startOf(region, at, source);
  if (match === null) return null;
  const parameters = bracketed(region, at + match[0].length, "[");
  const body = bracketed(region, parameters.end, "{");
  if (body.value === null) return null;
  return makeObject(region, {
    type: "inline-src-block",
    begin: at,
    own: body.end,
    properties: { language: match[1] ?? "", parameters: onOneLine(parameters.value), value: body.value },
  });
}

function startOf(region: Region, at: number, pattern: RegExp): RegExpExecArray | null {
  return startsWord(region.text, at, region.begin) ? matchIn(region, pattern, at) : null;
}

function bracketed(region: Region, at: number, open: string): { value: string | null; end: number } {
  if (at >= region.end || region.text[at] !== open) return { value: null, end: at };
  const close = region.pairs.closing(at, region.end);
  if (close === -1) return { value: null, end: at };
  return { value: region.text.slice(at + 1, close), end: close + 1 };
}

function onOneLine(value: string | null): string | null {
  return trimmedOrNull(value ?? "")?.replace(/\n[ \t]*/g, " ") ?? null;
}
