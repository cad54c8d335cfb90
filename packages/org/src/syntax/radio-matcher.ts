import type { Range } from "../text/range.ts";
import { isAlnumAt } from "./characters.ts";
import type { OrgNode } from "./node.ts";
import { RadioAutomaton, type RadioCandidate } from "./radio-automaton.ts";

/** Where the text of a radio target stands. */
export type RadioMatch = Range;

/** Finds the texts of a file's radio targets. */
export type RadioMatcher = {
  /** The first one in a region, from an offset on. */
  readonly next: (region: Range, from: number) => RadioMatch | null;
};

/** Makes the matcher of radio targets in a text; null if there are none. Case and the width of gaps do not matter. Its time grows with the text and the targets, not with their product. */
export function makeRadioMatcher(text: string, targets: readonly string[]): RadioMatcher | null {
  if (targets.length === 0) return null;
  const { begins, targetsAt } = new RadioAutomaton(targets).placesIn(text);
  let last: { readonly region: Range; readonly from: number; readonly match: RadioMatch | null } | null =
    null;
  const find = (region: Range, from: number): RadioMatch | null => {
    for (let index = firstFrom(begins, from); (begins[index] ?? region.end) < region.end; index += 1) {
      const begin = begins[index] ?? 0;
      if (begin !== region.begin && !breaks(text, begin - 1)) continue;
      const end = longestEnd(text, begin, region, targetsAt(index));
      if (end !== null && (end === region.end || breaks(text, end))) return { begin, end };
    }
    return null;
  };
  return {
    next(region, from) {
      const isKnown =
        last !== null &&
        last.region.begin === region.begin &&
        last.region.end === region.end &&
        last.from <= from &&
        (last.match === null || last.match.begin >= from);
      if (!isKnown || last === null) last = { region, from, match: find(region, from) };
      return last.match;
    },
  };
}

/** Where the longest target ends that begins at an offset and lies in a region. */
function longestEnd(
  text: string,
  begin: number,
  region: Range,
  candidates: Iterable<RadioCandidate>,
): number | null {
  for (const { target, end } of candidates) {
    if (end > region.end) continue;
    // Only blanks of a target stand for gaps: other white space is compared as it is.
    if (!oddSpace.test(target)) return end;
    const pattern = new RegExp(patternOf(target), "iuy");
    pattern.lastIndex = begin;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return null;
}

const oddSpace = /[\t\n\r\f]/;

/** The index of the first number of a sorted list that is not below another. */
function firstFrom(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The texts of all radio targets of a tree. */
export function findRadioTargets(tree: OrgNode): readonly string[] {
  const found = new Set<string>();
  const left: OrgNode[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === "radio-target") found.add(node.properties.value);
    for (const child of node.children) left.push(child);
    if (node.type === "headline" || node.type === "inlinetask")
      for (const each of node.properties.title) left.push(each);
    if (node.type === "item") for (const each of node.properties.tag) left.push(each);
  }
  return [...found];
}

function patternOf(target: string): string {
  return target.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/ +/g, "[ \\t\\n\\r\\f]+");
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** True unless a letter or digit stands there, but for scripts that write no spaces. */
function breaks(text: string, at: number): boolean {
  return !isAlnumAt(text, at) || unspaced.test(text[at] ?? "");
}
