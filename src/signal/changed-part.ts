/** Where two texts differ, in whole lines, with equal ones around. */
export type ChangedPart = {
  readonly before: string;
  readonly after: string;
  /** Equal lines that stand before it. */
  readonly line: number;
};

/** Equal lines that stay at each end: a change may slide over them, and they are shown around it. */
const around = 1_000;
/** Characters that are compared at once. */
const chunk = 4_096;

/**
 * Leaves out what two texts begin and end with alike, so that a small change of a long text is found at once.
 */
export function changedPart(before: string, after: string): ChangedPart {
  const most = Math.min(before.length, after.length);
  const begin = sharedCount(most, (at, end) => before.startsWith(after.slice(at, end), at));
  const shared = sharedCount(most - begin, (at, end) =>
    before.endsWith(after.slice(after.length - end, after.length - at), before.length - at),
  );
  const from = lineBefore(before, begin);
  const to = lineAfter(before, before.length - shared);
  return {
    before: before.slice(from, to),
    after: after.slice(from, after.length - (before.length - to)),
    line: countLines(before, from),
  };
}

/** Of at most so many characters, how many are the same, by a comparison of a range of them. */
function sharedCount(most: number, isSame: (at: number, end: number) => boolean): number {
  let at = 0;
  for (let step = chunk; step >= 1; step /= 2) while (at + step <= most && isSame(at, at + step)) at += step;
  return at;
}

/** The begin of a line, some lines before a place. */
function lineBefore(text: string, place: number): number {
  let at = place;
  for (let lines = 0; lines <= around && at > 0; lines += 1)
    at = at === 1 ? 0 : text.lastIndexOf("\n", at - 2) + 1;
  return at;
}

/** The end of a line, some lines after a place. */
function lineAfter(text: string, place: number): number {
  let at = place;
  for (let lines = 0; lines <= around && at < text.length; lines += 1) {
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
