/** True if one word becomes the other by at most so many changes: a letter added, left out or replaced, or two neighbours swapped (optimal string alignment). */
export function isWithinDistance(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      let best = Math.min(
        (last[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + 1,
        (last[to - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]) {
        best = Math.min(best, (before[to - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    if (row.reduce((one, other) => Math.min(one, other), Infinity) > most) return false;
    [before, last] = [last, row];
  }
  return (last.at(-1) ?? 0) <= most;
}
