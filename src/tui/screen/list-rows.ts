import { spread } from "./block.ts";
import type { Theme } from "./theme.ts";
import { cut, widthOf } from "./toolkit.ts";

/** One row of a list in a panel: what matters at its left, figures at its right. */
export type ListRow = { readonly left: string; readonly right: string };

/** The rows of a list around the chosen one, at most so many. */
export function listRows(
  list: readonly ListRow[],
  chosen: number,
  { columns, rows, theme }: { readonly columns: number; readonly rows: number; readonly theme: Theme },
): readonly string[] {
  const from = Math.max(0, Math.min(chosen - Math.floor(rows / 2), list.length - rows));
  return list.slice(from, from + Math.max(1, rows)).map(({ left, right }, index) => {
    const isChosen = from + index === chosen;
    const hasRoom = widthOf(right) <= columns * 0.6;
    const words = cut(left, columns - 4 - (hasRoom ? widthOf(right) + 2 : 0));
    const shown = hasRoom ? theme.dim(right) : "";
    return spread(
      `${isChosen ? theme.accent(" ▌ ") : "   "}${isChosen ? theme.bold(words) : words}`,
      shown,
      columns - 1,
    );
  });
}

/** The keys of a panel in its last row; in few words where there is little room. */
export function footRow(long: string, short: string, columns: number, theme: Theme): string {
  return theme.accent(widthOf(long) + 1 <= columns ? ` ${long}` : cut(` ${short}`, columns));
}

/** The next place in a list of so many; it stays within it. */
export function moved(at: number, by: number, count: number): number {
  return Math.max(0, Math.min(count - 1, at + by));
}
