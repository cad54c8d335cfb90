import { isAlnumAt, isSpaceAt } from "./characters.ts";
import type { OrgNode } from "./node.ts";
import { type Region, textNode } from "./object.ts";
import { readCitation, readReferences } from "./object-citation.ts";
import { readCall, readSource } from "./object-code.ts";
import { readEmphasis } from "./object-emphasis.ts";
import { readAngleLink, readBracketLink, readPlainLink, readRadioLink } from "./object-link.ts";
import {
  readCells,
  readCookie,
  readFootnote,
  readLineBreak,
  readMacro,
  readRadioTarget,
  readSnippet,
  readTargetObject,
  readTimestampObject,
} from "./object-marks.ts";
import { readScript } from "./object-script.ts";
import { readEntity, readFragment } from "./object-symbol.ts";
import type { ObjectsTask, ParserState } from "./parser-state.ts";
import type { RadioMatch } from "./radio-matcher.ts";
import { objectBits as bit, restrictions } from "./restriction.ts";

/** Reads the objects of a stretch of text, and the text between them; they tile it. */
export function parseObjects(reading: ParserState, task: ObjectsTask): void {
  const { begin, end, allowed, pairs, into } = task;
  const region: Region = { reading, text: reading.text, begin, end, allowed, pairs };
  if (allowed === restrictions.citation) for (const each of readReferences(region)) into.push(each);
  else if (reading.mayHoldObjects?.(region) === false) into.push(textNode(begin, end));
  else if (allowed === restrictions.row) for (const each of readCells(region)) into.push(each);
  else parseRegion(region, into);
}

function parseRegion(region: Region, into: OrgNode[]): void {
  const { text, begin, end } = region;
  let from = begin;
  let radio = nextRadio(region, from);
  for (let at = nextTrigger(text, begin, end); at < end || radio !== null; ) {
    const byRadio = radio !== null && at >= radio.begin;
    const object = byRadio && radio !== null ? readRadioLink(region, radio) : readObject(region, at, from);
    if (object === null) {
      at = nextTrigger(text, at + 1, end);
      continue;
    }
    if (object.begin > from) into.push(textNode(from, object.begin));
    into.push(object);
    from = object.end;
    radio = nextRadio(region, from);
    if (at < from) at = nextTrigger(text, from, end);
  }
  if (from < end) into.push(textNode(from, end));
}

function nextRadio({ reading, begin, end, allowed }: Region, from: number): RadioMatch | null {
  if (reading.radio === null || (allowed & bit.link) === 0) return null;
  return reading.radio.next({ begin, end }, from);
}

const triggers: ReadonlySet<string> = new Set("*~=+/_^[<{@$\\:");
const isTrigger: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  triggers.has(String.fromCharCode(code)),
);

/** The first offset from `at` on where an object may begin (or, of a plain link, the colon may be). */
function nextTrigger(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && isTrigger[text.charCodeAt(to)] !== true) to += 1;
  return to;
}

/** Reads the object at an offset, if one is there that may stand here. `from` is where the object before it ended. */
function readObject(region: Region, at: number, from: number): OrgNode | null {
  const { text, allowed } = region;
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case 0x2a: // *
      return readEmphasis(region, at, "bold");
    case 0x2f: // /
      return readEmphasis(region, at, "italic");
    case 0x2b: // +
      return readEmphasis(region, at, "strike-through");
    case 0x7e: // ~
      return readEmphasis(region, at, "code");
    case 0x3d: // =
      return readEmphasis(region, at, "verbatim");
    case 0x5f: // _
      return readUnderscore(region, at, from);
    case 0x5e: // ^
      return (allowed & bit.superscript) !== 0 && mayBeScript(text, at + 1)
        ? readScript(region, at, "superscript")
        : null;
    case 0x3a: // :
      return (allowed & bit.link) !== 0 ? readPlainLink(region, at, from) : null;
    case 0x5b: // [
      return readSquare(region, at, next);
    case 0x3c: // <
      return readPointed(region, at, next);
    case 0x7b: // {
      return (allowed & bit.macro) !== 0 && next === 0x7b ? readMacro(region, at) : null;
    case 0x40: // @
      return (allowed & bit.snippet) !== 0 && next === 0x40 ? readSnippet(region, at) : null;
    case 0x24: // $
      return (allowed & bit.latex) !== 0 ? readFragment(region, at) : null;
    default:
      return readBackslash(region, at, next);
  }
}

function readUnderscore(region: Region, at: number, from: number): OrgNode | null {
  const { text, allowed } = region;
  if ((allowed & bit.call) !== 0 && at - 4 >= from && text.startsWith("call_", at - 4)) {
    const call = readCall(region, at - 4);
    if (call !== null) return call;
  }
  if ((allowed & bit.source) !== 0 && at - 3 >= from && text.startsWith("src_", at - 3)) {
    const source = readSource(region, at - 3);
    if (source !== null) return source;
  }
  if (at + 1 >= region.end || isSpaceAt(text, at + 1)) return null;
  return (
    readEmphasis(region, at, "underline") ??
    ((allowed & bit.subscript) !== 0 ? readScript(region, at, "subscript") : null)
  );
}

function readSquare(region: Region, at: number, next: number): OrgNode | null {
  const { text, allowed } = region;
  switch (next) {
    case 0x5b: // [
      return (allowed & bit.link) !== 0 ? readBracketLink(region, at) : null;
    case 0x66: // f
      return (allowed & bit.footnote) !== 0 && text.startsWith("[fn:", at) ? readFootnote(region, at) : null;
    case 0x63: // c
      return (allowed & bit.citation) !== 0 ? readCitation(region, at) : null;
    default:
      return (
        ((allowed & bit.timestamp) !== 0 ? readTimestampObject(region, at) : null) ??
        ((allowed & bit.cookie) !== 0 ? readCookie(region, at) : null)
      );
  }
}

function readPointed(region: Region, at: number, next: number): OrgNode | null {
  const { allowed } = region;
  if (next === 0x3c) {
    return (
      ((allowed & bit.radioTarget) !== 0 ? readRadioTarget(region, at) : null) ??
      ((allowed & bit.target) !== 0 ? readTargetObject(region, at) : null)
    );
  }
  return (
    ((allowed & bit.timestamp) !== 0 ? readTimestampObject(region, at) : null) ??
    ((allowed & bit.link) !== 0 ? readAngleLink(region, at) : null)
  );
}

function readBackslash(region: Region, at: number, next: number): OrgNode | null {
  const { allowed } = region;
  if (next === 0x5c) return (allowed & bit.lineBreak) !== 0 ? readLineBreak(region, at) : null;
  return (
    ((allowed & bit.entity) !== 0 ? readEntity(region, at) : null) ??
    ((allowed & bit.latex) !== 0 ? readFragment(region, at) : null)
  );
}

/** True for what may follow a caret. */
function mayBeScript(text: string, at: number): boolean {
  return "-{(*+.,".includes(text[at] ?? "\n") || isAlnumAt(text, at);
}
