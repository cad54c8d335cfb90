import type { Range } from "./range.ts";

/** A link `[[target][description]]` as it is written; the ranges of its parts are without brackets. */
type BracketLink = Range & { readonly target: Range; readonly description: Range | null };

/** All bracket links of a range, from left to right. A link ends before an empty line. */
function findBracketLinks(text: string, { begin, end }: Range): readonly BracketLink[] {
  const found: BracketLink[] = [];
  const limit = paragraphEnds(text, end);
  const close = nextClose(text);
  for (let at = text.indexOf("[[", begin); at !== -1 && at < end; ) {
    const link = scanBracketLink(text, at, limit(at), close);
    if (link !== null) found.push(link);
    at = text.indexOf("[[", link?.end ?? at + 1);
  }
  return found;
}

/** A text with each bracket link replaced by its description, or else its target. */
export function showLinks(text: string): string {
  let shown = "";
  let from = 0;
  for (const { begin, end, target, description } of findBracketLinks(text, { begin: 0, end: text.length })) {
    const part = description ?? target;
    shown += text.slice(from, begin) + text.slice(part.begin, part.end);
    from = end;
  }
  return from === 0 ? text : shown + text.slice(from);
}

type NextPlace = (from: number) => number;

function scanBracketLink(text: string, begin: number, limit: number, close: NextPlace): BracketLink | null {
  const targetEnd = endOfTarget(text, begin + 2, limit);
  if (targetEnd === -1 || targetEnd === begin + 2) return null;
  const target = { begin: begin + 2, end: targetEnd };
  if (text[targetEnd + 1] === "]") return { begin, end: targetEnd + 2, target, description: null };
  if (text[targetEnd + 1] !== "[") return null;
  // A description has one character at least.
  const descriptionEnd = close(targetEnd + 3);
  if (descriptionEnd + 2 > limit) return null;
  return {
    begin,
    end: descriptionEnd + 2,
    target,
    description: { begin: targetEnd + 2, end: descriptionEnd },
  };
}

/**
 * The offset of the bracket that ends the target of a link: the first closing one that no odd number of backslashes precedes. -1 where an opening one
 * comes first, or none before `limit`.
 */
export function endOfTarget(text: string, begin: number, limit: number): number {
  let backslashes = 0;
  for (let at = begin; at < limit; at += 1) {
    const character = text[at];
    if (character === "\\") {
      backslashes += 1;
      continue;
    }
    const escaped = backslashes % 2 === 1;
    backslashes = 0;
    if (character === "]" && !escaped) return at;
    if (character === "[" && !escaped) return -1;
  }
  return -1;
}

/** Where the paragraph of an offset ends at the latest, for offsets that only grow. */
function paragraphEnds(text: string, end: number): NextPlace {
  const emptyLine = /\n[ \t]*\n/g;
  let known = -1;
  return (from) => {
    if (known < from) {
      emptyLine.lastIndex = from;
      known = Math.min(end, emptyLine.exec(text)?.index ?? end);
    }
    return known;
  };
}

/** The next `]]` from an offset on, for offsets that only grow. */
function nextClose(text: string): NextPlace {
  let known = -1;
  return (from) => {
    if (known < from) known = text.indexOf("]]", from);
    if (known === -1) known = text.length;
    return known;
  };
}
