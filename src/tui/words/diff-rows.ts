import { countOf } from "../../text/count-of.ts";
import type { Theme } from "../screen/theme.ts";
import { wrap } from "../screen/toolkit.ts";

/** One line of a change. */
export type DiffLine = { readonly mark: "+" | "-" | " " | "@"; readonly text: string };

/** Unchanged lines that are shown around a change. */
const context = 2;

/** The lines of a change from one text to another: what both begin and end with is context. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const next = linesOf(after);
  let start = 0;
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const line =
    (mark: DiffLine["mark"]) =>
    (text: string): DiffLine => ({ mark, text });
  return [
    ...old.slice(Math.max(0, start - context), start).map(line(" ")),
    ...old.slice(start, old.length - end).map(line("-")),
    ...next.slice(start, next.length - end).map(line("+")),
    ...next.slice(next.length - end, next.length - end + context).map(line(" ")),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The lines of a unified diff. Where its first hunk stands, and that a file has no newline at its end, is left out. */
export function readUnifiedDiff(text: string): readonly DiffLine[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .filter((line, index) => line !== "" && !line.startsWith("\\") && !(index === 0 && line.startsWith("@@")))
    .map((line): DiffLine => {
      const mark = line[0];
      if (mark === "+" || mark === "-") return { mark, text: line.slice(1) };
      if (line.startsWith("@@")) return { mark: "@", text: "⋯" };
      return { mark: " ", text: line.slice(1) };
    });
}

/**
 * A change as rows behind a margin. Beyond `most` lines it says how many are left out, with those that were
 * left out of `lines` before.
 */
export function diffRows(
  lines: readonly DiffLine[],
  {
    columns,
    theme,
    most,
    missing = 0,
  }: {
    readonly columns: number;
    readonly theme: Theme;
    readonly most: number;
    readonly missing?: number;
  },
): readonly string[] {
  const styles = {
    "+": theme.added,
    "-": theme.removed,
    " ": (text: string) => text,
    "@": theme.dim,
  } as const;
  const rows = lines
    .slice(0, most)
    .flatMap(({ mark, text }) =>
      wrap(text === "" ? " " : text, columns - 4).map((row, index) =>
        mark === "@"
          ? `${theme.dim("│")} ${theme.dim(row)}`
          : `${theme.dim("│")} ${styles[mark](`${index === 0 ? mark : " "} ${row}`)}`.trimEnd(),
      ),
    );
  const left = Math.max(0, lines.length - most) + missing;
  return left > 0 ? [...rows, theme.dim(`│ … ${countOf(left, "more line")}`)] : rows;
}
