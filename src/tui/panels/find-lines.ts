import type { Block } from "../screen/block.ts";
import { withoutColours } from "../screen/clean.ts";
import type { Theme } from "../screen/theme.ts";

/** A line of a block that has the words; `line` counts those lines of the block from 0. */
export type Found = { readonly block: Block; readonly line: number };

/** Lines that a search gives at most. */
const most = 10_000;

/** The lines with these words, the oldest first; upper and lower case are the same. */
export function findLines(blocks: readonly Block[], words: string): readonly Found[] {
  const wanted = words.toLowerCase();
  const found: Found[] = [];
  if (wanted === "") return found;
  for (const block of blocks) {
    const text = block.text.toLowerCase();
    if (!text.includes(wanted)) continue;
    const lines = text.split("\n").filter((line) => line.includes(wanted));
    for (const line of lines.keys()) found.push({ block, line });
    if (found.length >= most) break;
  }
  return found;
}

/** The row at which a line that was found stands; null where it is folded away. */
export function rowOf({ line }: Found, rows: readonly string[], words: string): number | null {
  const wanted = words.toLowerCase();
  const at = rows.flatMap((row, index) =>
    withoutColours(row).toLowerCase().includes(wanted) ? [index] : [],
  );
  return at[Math.min(line, at.length - 1)] ?? null;
}

/** A row with the words marked in it. Where they stand, its colours give way. */
export function markWords(row: string, words: string, theme: Theme): string {
  const plain = withoutColours(row);
  const low = plain.toLowerCase();
  const wanted = words.toLowerCase();
  // Some letters get longer in lower case: places would not be the same.
  if (wanted === "" || low.length !== plain.length || !low.includes(wanted)) return row;
  let marked = "";
  let from = 0;
  for (let at = low.indexOf(wanted); at !== -1; at = low.indexOf(wanted, from)) {
    marked += plain.slice(from, at) + theme.inverse(plain.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return marked + plain.slice(from);
}
