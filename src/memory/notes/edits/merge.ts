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
    left: { lines: mine, hunks: diff(lines, mine) },
    right: { lines: its, hunks: diff(lines, its) },
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

/** Lines `from` to `to` of the base became lines `newFrom` to `newTo`. Half-open. */
type Hunk = {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
};
type Side = { readonly lines: readonly string[]; readonly hunks: readonly Hunk[] };

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

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

type Span = { readonly old: readonly [number, number]; readonly now: readonly [number, number] };

/**
 * The changes from one list of lines to another, in order. Equal lines at both ends of a span are left out; lines that occur once on each side
 * divide it (Bram Cohen's patience diff); a span without such lines is one change.
 */
function diff(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const spans: Span[] = [{ old: [0, before.length], now: [0, after.length] }];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const { old, now } = trimmed(span, before, after);
    if (old[0] === old[1] && now[0] === now[1]) continue;
    const anchors = anchorsOf({ old, now }, before, after);
    if (anchors.length === 0) {
      hunks.push({ from: old[0], to: old[1], newFrom: now[0], newTo: now[1] });
      continue;
    }
    let [x, y] = [old[0], now[0]];
    for (const [anchorX, anchorY] of [...anchors, [old[1], now[1]] as const]) {
      spans.push({ old: [x, anchorX], now: [y, anchorY] });
      [x, y] = [anchorX + 1, anchorY + 1];
    }
  }
  return hunks.sort((a, b) => a.from - b.from || a.newFrom - b.newFrom);
}

function trimmed({ old, now }: Span, before: readonly string[], after: readonly string[]): Span {
  let [x, y] = [old[0], now[0]];
  let [endX, endY] = [old[1], now[1]];
  while (x < endX && y < endY && before[x] === after[y]) {
    x += 1;
    y += 1;
  }
  while (endX > x && endY > y && before[endX - 1] === after[endY - 1]) {
    endX -= 1;
    endY -= 1;
  }
  return { old: [x, endX], now: [y, endY] };
}

/** The largest set, in order, of lines that occur once on each side of a span. */
function anchorsOf(
  { old, now }: Span,
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const there = uniqueLines(before, old);
  const pairs = [...uniqueLines(after, now)].flatMap(([line, y]) => {
    const x = there.get(line);
    return x === undefined || x === -1 || y === -1 ? [] : [[x, y] as const];
  });
  return longestRising(pairs.sort(([x], [other]) => x - other));
}

/** The index of each line of a range; -1 for a line that occurs more than once. */
function uniqueLines(
  lines: readonly string[],
  [from, to]: readonly [number, number],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    found.set(line, found.has(line) ? -1 : at);
  }
  return found;
}

type Link = { readonly pair: readonly [number, number]; readonly before: Link | undefined };

/** The longest subsequence with rising second numbers. */
function longestRising(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const piles: Link[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    piles[low] = { pair, before: piles[low - 1] };
  }
  const rising: (readonly [number, number])[] = [];
  for (let link = piles.at(-1); link !== undefined; link = link.before) rising.push(link.pair);
  return rising.reverse();
}
