import type { Reversal } from "../../signal/effect.ts";
import { codeBlanks, escapeInvisible } from "../../text/escape-invisible.ts";
import type { Theme } from "../screen/theme.ts";
import { wrap } from "../screen/toolkit.ts";

/** What laying a question out needs. */
export type QuestionLayout = {
  readonly columns: number;
  readonly theme: Theme;
  /** The home folder, which is shown as `~`. */
  readonly home: string;
  /** Every effect and every gate, too. */
  readonly details: boolean;
  /** Whether what a trial in a copy changed is shown line by line, or as a count and the key that shows it. */
  readonly tried: "folded" | "unfolded";
  /**
   * Files that are shown line by line; further ones by their names alone, in one row. Left out where all are.
   */
  readonly mostFiles?: number;
};

/** A text to be read, line by line behind a margin. */
export function quotedRows(text: string, { columns, theme }: QuestionLayout): readonly string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => wrap(readableLine(line, columns - 4) || " ", columns - 4))
    .map((row) => `  ${theme.dim("│")} ${row}`.trimEnd());
}

/** A line of code as a row of so many columns shows it; only what is truly hidden in it is escaped. */
export function readableLine(line: string, columns: number): string {
  return escapeInvisible(line, { ...codeBlanks, row: columns });
}

/** How the words of a reversal look. */
export function reversalStyle(reversal: Reversal, theme: Theme): (text: string) => string {
  return reversal === "undoable" ? theme.added : theme.warning;
}
