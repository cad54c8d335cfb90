/** Lines `from` to `to` of the base became lines `newFrom` to `newTo`. Half-open. */
export type Hunk = {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
};

/** The lines of a text, each with its end. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

type Span = { readonly old: readonly [number, number]; readonly now: readonly [number, number] };

/**
 * The changes from one list of lines to another, in order. Equal lines at both ends of a span are left out; lines that occur once on each side
 * divide it (Bram Cohen's patience diff); a span without such lines is one change.
 */
export function changedLines(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const single = {
    before: uniqueLines(before, [0, before.length]),
    after: uniqueLines(after, [0, after.length]),
  };
  const isSingle = (line: string): boolean =>
    (single.before.get(line) ?? -1) >= 0 && (single.after.get(line) ?? -1) >= 0;
  const spans: Span[] = [{ old: [0, before.length], now: [0, after.length] }];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const { old, now } = trimmed(span, before, after);
    if (old[0] === old[1] && now[0] === now[1]) continue;
    const pairs = pairsOf({ old, now }, before, after);
    // What occurs once in all of both texts says more than what is single between two others.
    const sure = pairs.filter(([x]) => isSingle(before[x] ?? ""));
    const anchors = longestRising(sure.length > 0 ? sure : pairs);
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
  return slidDown(
    hunks.sort((a, b) => a.from - b.from || a.newFrom - b.newFrom),
    before,
    after,
  );
}

/**
 * Lines that only came or only went stand as late as the texts let them, as git puts them: an entry that
 * came between others that begin or end alike is that entry, and not the end of the one before with the
 * beginning of its own.
 */
function slidDown(
  hunks: readonly Hunk[],
  before: readonly string[],
  after: readonly string[],
): readonly Hunk[] {
  return hunks.map((hunk, index) => {
    const { from, to, newFrom, newTo } = hunk;
    if (from !== to && newFrom !== newTo) return hunk;
    const room = (hunks[index + 1]?.from ?? before.length) - to;
    const [lines, first, end] = from === to ? [after, newFrom, newTo] : [before, from, to];
    let by = 0;
    while (by < room && lines[first + by] === lines[end + by]) by += 1;
    return { from: from + by, to: to + by, newFrom: newFrom + by, newTo: newTo + by };
  });
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

/** The lines that occur once on each side of a span, in the order of the first side. */
function pairsOf(
  { old, now }: Span,
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const there = uniqueLines(before, old);
  const pairs = [...uniqueLines(after, now)].flatMap(([line, y]) => {
    const x = there.get(line);
    return x === undefined || x === -1 || y === -1 ? [] : [[x, y] as const];
  });
  return pairs.sort(([x], [other]) => x - other);
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
