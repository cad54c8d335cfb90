import type { Headline, Outline } from "../outline/outline.ts";

/** The heading lines of some headlines and their ancestors, as they are written: a sparse tree as Emacs shows it. */
export function sparseTree(outline: Outline, matches: readonly Headline[]): string {
  const shown = new Set<number>();
  for (const match of matches) {
    for (let index = match.index; index !== -1 && !shown.has(index); ) {
      shown.add(index);
      index = outline.headlines[index]?.parent ?? -1;
    }
  }
  return [...shown]
    .toSorted((one, other) => one - other)
    .map((index) => {
      const { begin = 0, lineEnd = 0 } = outline.headlines[index] ?? {};
      return outline.text.slice(begin, lineEnd).replace(/\n$/, "");
    })
    .join("\n");
}
