import { cursorMark, cut, widthOf } from "./toolkit.ts";

/** What a frame on the main screen shows. */
export type MainFrame = {
  /** Rows that never change again: they scroll into the terminal's own history. */
  readonly settled: readonly string[];
  /** The rows below them, which are painted anew: at most as many as the screen has. */
  readonly live: readonly string[];
};

const esc = "\u001b[";
const hideCursor = `${esc}?25l`;
/** What is painted between these is shown at once; a row that is wider than it was measured breaks no other. */
const begin = `${esc}?2026h${hideCursor}${esc}?7l`;
const end = `${esc}?7h${esc}?2026l`;

/**
 * Paints frames on the main screen: settled rows are appended, and only the live rows below them are painted anew. It moves the cursor inside
 * of the live rows alone, and erases nothing above them.
 */
export class AppendPainter {
  #rows: readonly string[] = [];
  /** Where the cursor stands among the live rows. */
  #at = { row: 0, column: 0 };
  #columns = 0;
  /** Whether the rows stand there as they were painted. */
  #isWhole = false;

  /** The bytes that paint a frame on a terminal of this size. */
  paint({ settled, live }: MainFrame, columns: number, rows: number): string {
    const next = live.slice(-Math.max(1, rows)).map((row) => cut(row.trimEnd(), columns));
    const cursor = placeOfCursor(next);
    const shown = next.map((row) => row.replace(cursorMark, ""));
    const isSame =
      this.#isWhole &&
      settled.length === 0 &&
      this.#columns === columns &&
      shown.length === this.#rows.length;
    const up = Math.min(rows - 1, this.#rowsAbove(columns));
    const before = this.#rows;
    const at = cursor ?? { row: shown.length - 1, column: 0 };
    const isStill = at.row === this.#at.row && at.column === this.#at.column;
    if (isSame && isStill && shown.every((row, index) => row === before[index])) return "";
    const lines = isSame
      ? shown.map((row, index) => (row === before[index] ? "" : `${esc}2K${row}`)).join("\r\n")
      : `${this.#erased}${[...settled.map((row) => cut(row, columns)), ...shown].join("\r\n")}`;
    this.#rows = shown;
    this.#at = at;
    this.#columns = columns;
    this.#isWhole = true;
    const place = `\r${moved(shown.length - 1 - at.row, "A")}${moved(at.column, "C")}`;
    return `${begin}\r${moved(up, "A")}${lines}${place}${end}${cursor === null ? "" : `${esc}?25h`}`;
  }

  /** Takes the live rows away: the cursor then stands below what was settled. */
  erase(columns: number, rows: number): string {
    const up = Math.min(rows - 1, this.#rowsAbove(columns));
    const erased = this.#erased;
    this.forget();
    return `\r${moved(up, "A")}${erased}${esc}?25h`;
  }

  /** The next frame paints all live rows anew. */
  repaint(): void {
    this.#isWhole = false;
  }

  /** The next frame begins where the cursor stands then. */
  forget(): void {
    this.#rows = [];
    this.#at = { row: 0, column: 0 };
    this.#isWhole = false;
  }

  /** Erases the live rows from the first on. Where a screen is erased from its first place, tmux would keep what stood there in its history. */
  get #erased(): string {
    return `${esc}2K${this.#rows.length > 1 ? `${esc}1B${esc}J${esc}1A` : ""}`;
  }

  /** Rows from the first live row to the cursor. After a change of width a terminal has broken the rows that became too long. */
  #rowsAbove(columns: number): number {
    const broken = (row: string): number => Math.max(1, Math.ceil(widthOf(row) / columns));
    const above = this.#rows.slice(0, this.#at.row).reduce((sum, row) => sum + broken(row), 0);
    return above + Math.floor(this.#at.column / columns);
  }
}

function placeOfCursor(rows: readonly string[]): { readonly row: number; readonly column: number } | null {
  const row = rows.findLastIndex((one) => one.includes(cursorMark));
  const [before = ""] = (rows[row] ?? "").split(cursorMark);
  return row === -1 ? null : { row, column: widthOf(before) };
}

function moved(by: number, direction: "A" | "C"): string {
  return by > 0 ? `${esc}${by}${direction}` : "";
}
