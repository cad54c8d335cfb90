import { type Construct, mostConstructs } from "./construct.ts";
import { findFileConstructs } from "./file-constructs.ts";
import { findOrgConstructs } from "./org-constructs.ts";

/** A text in which new constructs are inert, and what would have obeyed them, in words, without repetition. */
export type DisarmedText = { readonly text: string; readonly disarmed: readonly string[] };

/** True for a file that Emacs opens as Org: by its name in any case, or by a line that says so. */
export function opensAsOrg(path: string, text: string): boolean {
  if (/\.org(?:_archive)?(?:#|~|\.~\d+~)?$/i.test(path)) return true;
  return /^[^\r\n]*(?:[\r\n]+[^\r\n]*)?-\*-[ \t]*(?:[^\r\n]*mode:[ \t]*)?org\b/i.test(text.slice(0, 2_000));
}

/** The constructs that a change brings into a file, or whose text it changes. What the file held before and the change leaves alone does not count. */
export function findNewConstructs(path: string, before: string, after: string): readonly Construct[] {
  const find = (text: string): readonly Construct[] =>
    opensAsOrg(path, after)
      ? [...findOrgConstructs(text), ...findFileConstructs(text)]
      : findFileConstructs(text);
  const found = find(after);
  if (found.length === 0 || before === after) return [];
  const left = new Map<string, number>();
  for (const construct of find(before)) left.set(keyOf(construct), (left.get(keyOf(construct)) ?? 0) + 1);
  const same = commonEnds(before, after);
  const untouched = (construct: Construct): boolean => construct.at < same.start || construct.at >= same.end;
  const take = (construct: Construct): boolean => {
    const count = left.get(keyOf(construct)) ?? 0;
    left.set(keyOf(construct), count - 1);
    return count > 0;
  };
  const kept = new Set(found.filter(untouched).filter(take));
  return found.filter((construct) => !kept.has(construct) && !take(construct));
}

function keyOf({ why, text }: Construct): string {
  return `${why}\n${text}`;
}

/** The part of `after` that is not common to both texts at their beginning or end. */
function commonEnds(before: string, after: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  return { start, end: after.length - end };
}

const mostRounds = 8;

/**
 * Makes the new constructs of a text inert by a comma in each. A person sees the comma and can delete it; nothing else takes it away.
 * Null if a text arms itself anew with every comma, or has thousands of constructs.
 */
export function disarmNewConstructs(path: string, before: string, after: string): DisarmedText | null {
  const disarmed = new Set<string>();
  let text = after;
  for (let round = 0; round < mostRounds; round += 1) {
    const found = findNewConstructs(path, before, text);
    if (found.length === 0) return { text, disarmed: [...disarmed] };
    if (found.length >= mostConstructs) return null;
    for (const { why } of found) disarmed.add(why);
    text = withCommas(text, found);
  }
  return null;
}

function withCommas(text: string, found: readonly Construct[]): string {
  const places = [...new Set(found.map(({ at }) => at))].sort((a, b) => a - b);
  const pieces: string[] = [];
  let from = 0;
  for (const at of places) {
    pieces.push(text.slice(from, at), ",");
    from = at;
  }
  return pieces.join("") + text.slice(from);
}
