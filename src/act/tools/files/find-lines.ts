import type { LineMatcher } from "./line-matcher.ts";

/** A matching line, or with context a block of lines around matches that are near one another, each with its number: `12:` before a match, `11-` before another line. */
export type FoundLines = { readonly line: number; readonly text: string };

const maxShownLine = 240;

const pauseAfter = 16_384;

/** The matching lines of a text, with so many lines of context around them. Yields null after each 16,384 characters, where the caller may let others have a turn. */
export function* findLines(
  text: string,
  matcher: LineMatcher,
  context: number,
): Generator<FoundLines | null> {
  if (!matcher.mayOccurIn(text)) return;
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  let block: { readonly first: number; end: number; readonly found: Map<number, number> } | null = null;
  let looked = 0;
  for (const [index, line] of lines.entries()) {
    const at = matcher.find(line.slice(0, matcher.lineLength).replace(/\r$/, ""));
    looked += line.length + 1;
    if (looked >= pauseAfter) {
      yield null;
      looked = 0;
    }
    if (at === -1) continue;
    if (context === 0) {
      yield { line: index + 1, text: cut(line, at) };
      continue;
    }
    if (block !== null && index - context > block.end) {
      yield blockOf(lines, block);
      block = null;
    }
    block ??= { first: Math.max(0, index - context), end: 0, found: new Map() };
    block.end = Math.min(lines.length, index + context + 1);
    block.found.set(index, at);
  }
  if (block !== null) yield blockOf(lines, block);
}

type Block = { readonly first: number; readonly end: number; readonly found: ReadonlyMap<number, number> };

function blockOf(lines: readonly string[], { first, end, found }: Block): FoundLines {
  const text = lines.slice(first, end).map((line, offset) => {
    const at = found.get(first + offset);
    return `${first + offset + 1}${at === undefined ? "-" : ":"}${cut(line, at ?? 0)}`;
  });
  return { line: (found.keys().next().value ?? first) + 1, text: text.join("\n") };
}

/** The part of a line around a place. */
function cut(line: string, at: number): string {
  const start = Math.max(0, at - maxShownLine / 2);
  return line.slice(start, start + maxShownLine).replace(/\r$/, "");
}
