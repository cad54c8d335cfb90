/** A timestamp on a line, by its offset in the line: a single one, or a range of days. */
export type LineTime = { readonly role: "plain" | "range"; readonly at: number; readonly raw: string };

/**
 * The single times and the ranges of a line, as Emacs finds them by their look alone: a range goes from the first time on a line that has a second
 * one, joined by one to three hyphens, anywhere behind it. Linear in the line's length.
 */
export function timesOfLine(line: string, { inactive }: { readonly inactive: boolean }): readonly LineTime[] {
  const both = readBrackets(line, "both");
  const ranges = findRanges(inactive ? both : readBrackets(line, "active"));
  const plain = [...line.matchAll(inactive ? openingBoth : openingActive)].flatMap(
    ({ index }): LineTime[] => {
      const raw = isOfRange(both, index) ? null : singleTime(both, index);
      return raw === null ? [] : [{ role: "plain", at: index, raw }];
    },
  );
  return [...plain, ...ranges];
}

const openingActive = /<(?=\d{4}-\d{2}-\d{2}[ >\]])/g;
const openingBoth = /[<[](?=\d{4}-\d{2}-\d{2}[ >\]])/g;
const lengthOfDate = 11;

/** A line with the offsets at which two timestamps are joined, each with the end of the second. */
type Brackets = {
  readonly line: string;
  readonly opening: RegExp;
  readonly joints: readonly Joint[];
  /** Where brackets close, from left to right. */
  readonly closes: readonly number[];
};

type Joint = { readonly at: number; readonly end: number };

function readBrackets(line: string, which: "active" | "both"): Brackets {
  const active = which === "active";
  const joint = active ? />--?-?<\d{4}-\d{2}-\d{2}/g : /[>\]]--?-?[<[]\d{4}-\d{2}-\d{2}/g;
  const close = active ? />/g : /[>\]]/g;
  const closes = [...line.matchAll(close)].map(({ index }) => index);
  let next = 0;
  const joints = [...line.matchAll(joint)].flatMap(({ 0: written, index }) => {
    const second = index + written.length;
    while (next < closes.length && (closes[next] ?? 0) < second) next += 1;
    const end = line[second] === " " || closes[next] === second ? closes[next] : undefined;
    return end === undefined ? [] : [{ at: index, end: end + 1 }];
  });
  return { line, opening: active ? openingActive : openingBoth, joints, closes };
}

function findRanges(brackets: Brackets): readonly LineTime[] {
  const { line, opening, joints } = brackets;
  const found: LineTime[] = [];
  let from = 0;
  for (const { index } of joints.length === 0 ? [] : line.matchAll(opening)) {
    const end = index < from ? null : endOfRange(brackets, index);
    if (end === null) continue;
    found.push({ role: "range", at: index, raw: line.slice(index, end) });
    from = end;
  }
  return found;
}

/** The end of the range that begins at a bracket; null if none begins there. */
function endOfRange({ line, joints }: Brackets, at: number): number | null {
  if (!/^[<[]\d{4}-\d{2}-\d{2}[ >\]]/.test(line.slice(at, at + lengthOfDate + 1))) return null;
  const first = at + lengthOfDate;
  const joint = joints[firstFrom(joints, ({ at: place }) => place >= first)];
  return joint === undefined || (line[first] !== " " && joint.at !== first) ? null : joint.end;
}

/** Binary search: the index of the first element of a sorted list that satisfies a monotone predicate. */
export function firstFrom<T>(growing: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, growing.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = growing[middle];
    if (one === undefined || holds(one)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** True if a timestamp is an end of a range: a range begins at its own bracket, or begins before and reaches into it. */
function isOfRange(both: Brackets, at: number): boolean {
  if (both.joints.length === 0) return false;
  const own = startOfRun(both.line, at);
  if (endOfRange(both, own) !== null) return true;
  let before = own - 1;
  while (before >= 0 && both.line[before] !== "<" && both.line[before] !== "[") before -= 1;
  if (before < 0) return false;
  return (endOfRange(both, startOfRun(both.line, before)) ?? 0) >= at + lengthOfDate;
}

/** The first of a run of opening brackets that ends at an offset. */
function startOfRun(line: string, at: number): number {
  let start = at;
  while (start > 0 && (line[start - 1] === "<" || line[start - 1] === "[")) start -= 1;
  return start;
}

function singleTime({ line, closes }: Brackets, at: number): string | null {
  const after = at + lengthOfDate;
  if (line[after] !== " ") return line.slice(at, after + 1);
  const close = closes[firstFrom(closes, (place) => place > after)];
  return close === undefined ? null : line.slice(at, close + 1);
}
