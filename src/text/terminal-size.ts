/** The size of a terminal, in rows and columns. */
export type TerminalSize = { readonly rows: number; readonly columns: number };

/** The size of a terminal whose size nobody told. */
export const usualSize: TerminalSize = { rows: 24, columns: 80 };

const fewest: TerminalSize = { rows: 2, columns: 10 };
const most: TerminalSize = { rows: 500, columns: 500 };

/** Why a terminal cannot have a size; null where it can. */
export function sizeProblem(size: TerminalSize): string | null {
  const { rows, columns } = nearestSize(size);
  return rows === size.rows && columns === size.columns
    ? null
    : `A terminal has ${fewest.rows} to ${most.rows} rows and ${fewest.columns} to ${most.columns} columns, not ${size.rows} rows and ${size.columns} columns. Its size stays as it was.`;
}

/** The size that a terminal can have and that is nearest to this one. */
export function nearestSize({ rows, columns }: TerminalSize): TerminalSize {
  return {
    rows: Math.min(most.rows, Math.max(fewest.rows, Math.trunc(rows))),
    columns: Math.min(most.columns, Math.max(fewest.columns, Math.trunc(columns))),
  };
}
