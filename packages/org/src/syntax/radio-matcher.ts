import type { Range } from "../text/range.ts";
import { isAlnumAt } from "./characters.ts";
import type { OrgNode } from "./node.ts";

/** Where the text of a radio target stands. */
export type RadioMatch = Range;

/** Finds the texts of a file's radio targets. */
export type RadioMatcher = {
  /** The first one in a region, from an offset on. */
  readonly next: (text: string, region: Range, from: number) => RadioMatch | null;
};

/** Makes the matcher of radio targets; null if there are none. Case and the width of gaps do not matter. */
export function makeRadioMatcher(targets: readonly string[]): RadioMatcher | null {
  if (targets.length === 0) return null;
  const longestFirst = [...targets].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(patternOf).join("|"), "giu");
  return {
    next(text, { begin, end }, from) {
      const part = text.slice(begin, end);
      pattern.lastIndex = from - begin;
      for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
        const found = { begin: begin + match.index, end: begin + match.index + match[0].length };
        if (stands(text, found, { begin, end })) return found;
        pattern.lastIndex = match.index + 1;
      }
      return null;
    },
  };
}

/** The texts of all radio targets of a tree. */
export function findRadioTargets(tree: OrgNode): readonly string[] {
  const found = new Set<string>();
  const left: OrgNode[] = [tree];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === "radio-target") found.add(node.properties.value);
    for (const child of node.children) left.push(child);
    if (node.type === "headline" || node.type === "inlinetask") left.push(...node.properties.title);
    if (node.type === "item") left.push(...node.properties.tag);
  }
  return [...found];
}

function patternOf(target: string): string {
  return target.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/ +/g, "[ \\t\\n\\r\\f]+");
}

/** True where neither side goes on with a letter or digit, but for scripts that write no spaces. */
function stands(text: string, { begin, end }: Range, region: Range): boolean {
  return (begin === region.begin || breaks(text, begin - 1)) && (end === region.end || breaks(text, end));
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function breaks(text: string, at: number): boolean {
  return !isAlnumAt(text, at) || unspaced.test(text[at] ?? "");
}
