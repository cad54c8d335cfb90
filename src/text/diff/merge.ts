import { changedLines, type Hunk, linesOf } from "./changed-lines.ts";

/** The merged text, or a conflict: both sides changed the same lines. */
export type MergeResult = { readonly ok: true; readonly text: string } | { readonly ok: false };

/**
 * Merges two changes of one text line by line (three-way, like diff3). Lines that one side changed are taken from that side. Where both sides changed
 * the same or adjacent lines, equal changes are taken and different ones are a conflict. Line ends belong to their lines.
 */
export function merge(base: string, ours: string, theirs: string): MergeResult {
  return mergeUnless(areAdjacent, base, { ours, theirs });
}

/**
 * Merges like `merge`, but only changes of the same lines are a conflict: changes of adjacent lines are both taken. Of two texts inserted at the same
 * place theirs comes first. A line without an end gets one if another line follows.
 */
export function mergeAdjacent(base: string, ours: string, theirs: string): MergeResult {
  return mergeUnless(doOverlap, base, { ours, theirs });
}

type IsConflict = (mine: Hunk, its: Hunk) => boolean;

function mergeUnless(
  isConflict: IsConflict,
  base: string,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): MergeResult {
  if (ours === theirs || theirs === base) return { ok: true, text: ours };
  if (ours === base) return { ok: true, text: theirs };
  const lines = linesOf(base);
  const [mine, its] = [linesOf(ours), linesOf(theirs)];
  const sides = {
    left: { lines: mine, hunks: changedLines(lines, mine) },
    right: { lines: its, hunks: changedLines(lines, its) },
  };
  const merged = combine(lines, sides, isConflict);
  if (merged === null) return { ok: false };
  const unended = merged.findIndex((line) => !line.endsWith("\n"));
  if (unended === -1 || unended === merged.length - 1) return { ok: true, text: merged.join("") };
  return isConflict === areAdjacent ? { ok: false } : { ok: true, text: withLineEnds(merged) };
}

function withLineEnds(lines: readonly string[]): string {
  const end = lines.some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  return lines
    .map((line, at) => (line.endsWith("\n") || at === lines.length - 1 ? line : line + end))
    .join("");
}

type Side = { readonly lines: readonly string[]; readonly hunks: readonly Hunk[] };

/** The lines with the changes of both sides; null for a conflict. Of hunks that begin at the same line an insertion comes first, and theirs before ours. */
function combine(
  base: readonly string[],
  { left, right }: { readonly left: Side; readonly right: Side },
  isConflict: IsConflict,
): readonly string[] | null {
  const out: string[] = [];
  const at = { base: 0, left: 0, right: 0 };
  for (;;) {
    const [mine, its] = [left.hunks[at.left], right.hunks[at.right]];
    if (mine === undefined && its === undefined) break;
    const both = mine !== undefined && its !== undefined;
    const isSame = both && sameChange(mine, its, { left, right });
    if (isSame) at.right += 1;
    else if (both && isConflict(mine, its)) return null;
    const isMine = isSame || its === undefined || (both && comesFirst(mine, its));
    const [hunk, side] = isMine ? ([mine, left] as const) : ([its, right] as const);
    if (hunk === undefined) break;
    for (const line of base.slice(at.base, hunk.from)) out.push(line);
    for (const line of side.lines.slice(hunk.newFrom, hunk.newTo)) out.push(line);
    at.base = hunk.to;
    at[isMine ? "left" : "right"] += 1;
  }
  for (const line of base.slice(at.base)) out.push(line);
  return out;
}

function comesFirst(mine: Hunk, its: Hunk): boolean {
  return mine.from < its.from || (mine.from === its.from && mine.to < its.to);
}

function areAdjacent(mine: Hunk, its: Hunk): boolean {
  return mine.from <= its.to && its.from <= mine.to;
}

/** Whether two changes have a line in common, or one inserts within the lines of the other. */
function doOverlap(mine: Hunk, its: Hunk): boolean {
  return mine.from < its.to && its.from < mine.to;
}

function sameChange(
  mine: Hunk,
  its: Hunk,
  { left, right }: { readonly left: Side; readonly right: Side },
): boolean {
  if (mine.from !== its.from || mine.to !== its.to) return false;
  const ours = left.lines.slice(mine.newFrom, mine.newTo);
  return ours.join("") === right.lines.slice(its.newFrom, its.newTo).join("");
}
