import { typeBeforeColon } from "../syntax/object-link.ts";
import type { Range } from "../text/range.ts";

const citation = /\[cite/gi;

/** Offsets at which a link or a citation may begin, in no order: every one that does is among them. */
function findCandidates(text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf("[["); at !== -1; at = text.indexOf("[[", at + 2)) found.push(at);
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    const type = typeBeforeColon(text, at, 0);
    if (type !== null) found.push(at - type.length);
  }
  for (const { index } of text.matchAll(citation)) found.push(index);
  return found;
}

/** Tells whether a link or a citation may begin in a range; null for a text that holds none. */
export function linkFilter(text: string): RangeFilter | null {
  return filterOf(findCandidates(text));
}

/** Tells whether a radio target may begin in a range; null for a text that holds none. */
export function radioTargetFilter(text: string): RangeFilter | null {
  const found: number[] = [];
  for (let at = text.indexOf("<<<"); at !== -1; at = text.indexOf("<<<", at + 1)) found.push(at);
  return filterOf(found);
}

type RangeFilter = (range: Range) => boolean;

function filterOf(found: number[]): RangeFilter | null {
  const offsets = found.sort((one, other) => one - other);
  return offsets.length === 0 ? null : (range) => holdsOne(offsets, range);
}

/** True where one of the offsets, which grow, lies in a range. */
function holdsOne(offsets: readonly number[], { begin, end }: Range): boolean {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < begin) low = middle + 1;
    else high = middle;
  }
  return (offsets[low] ?? end) < end;
}
