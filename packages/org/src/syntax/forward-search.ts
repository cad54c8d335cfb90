/**
 * Searches forward, and remembers for each thing that is sought how far the last search came, so that ten thousand openings of one line
 * that nothing closes are one search.
 */
export type ForwardSearch = {
  /** Where the string begins first, from `from` on, if it ends at `end` or before; else -1. */
  readonly text: (sought: string, from: number, end: number) => number;
  /** The first offset that `scan` finds from `from` on, below `end`; else -1. `scan` must depend on its arguments alone. */
  readonly scan: (name: string, from: number, end: number, scan: ForwardScan) => number;
};

/** The first offset from `from` on, below `end`, that is what is sought; -1 if there is none. */
export type ForwardScan = (from: number, end: number) => number;

type Known = { from: number; to: number; found: boolean };

/** Makes the searches of one text. */
export function makeForwardSearch(text: string): ForwardSearch {
  const known = new Map<string, Known>();
  const scanFor = (name: string, from: number, end: number, scan: ForwardScan): number => {
    let last = known.get(name);
    if (last === undefined) {
      last = { from: 0, to: -1, found: false };
      known.set(name, last);
    }
    const inside = from >= last.from && from <= last.to;
    if (inside && last.found) return last.to < end ? last.to : -1;
    if (inside && end <= last.to) return -1;
    const found = scan(inside ? last.to : from, end);
    if (!inside) last.from = from;
    last.to = found === -1 ? end : found;
    last.found = found !== -1;
    return found;
  };
  return {
    scan: scanFor,
    text: (sought, from, end) =>
      scanFor(sought, from, end - sought.length + 1, (start, last) =>
        last <= start ? -1 : indexWithin(text, sought, start, last + sought.length - 1),
      ),
  };
}

function indexWithin(text: string, sought: string, from: number, end: number): number {
  const near = text.slice(from, Math.min(end, from + 256)).indexOf(sought);
  if (near !== -1) return from + near;
  const at = text.slice(from, end).indexOf(sought);
  return at === -1 ? -1 : from + at;
}
