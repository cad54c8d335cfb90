import { countDiffs, wordsOfLines } from "../signal/count-diffs.ts";
import type { FileDiff } from "../signal/file-diff.ts";
import { escapeInvisible, quoteLines } from "../text/escape-invisible.ts";

/** Rows of all diffs together that are shown, unless more are wanted. */
const shownRows = 40;

/**
 * Diffs for a person: of each file its name and how much changes, and its lines behind a margin. Paths inside
 * the workspace are relative to it. Behind
 * as many files as rows are shown, one line says how many more there are.
 */
export function formatDiffs(
  diffs: readonly FileDiff[],
  workspace: string | null,
  most = shownRows,
): readonly string[] {
  let left = most;
  const named = diffs.filter(({ rest }) => rest === undefined).slice(0, most);
  const others = diffs.filter((diff) => !named.includes(diff));
  const { files, ...lines } = countDiffs(others);
  const rows = named.flatMap((diff) => {
    const rows = quoteDiff(diff);
    const shown = rows.slice(0, Math.max(0, left));
    left -= shown.length;
    const more = rows.length - shown.length + diff.left;
    return [
      `  ${formatDiffTitle(diff, workspace)}`,
      ...shown,
      ...(more === 0 ? [] : [`    (${more} lines more)`]),
    ];
  });
  if (files === 0) return rows;
  const counts = others.every(({ rest }) => rest !== undefined)
    ? ""
    : ` (${wordsOfLines({ files, ...lines })})`;
  return [...rows, `  and ${files.toLocaleString("en")} more ${files === 1 ? "file" : "files"}${counts}`];
}

/** The file of a diff and how much changes in it, in one line. */
function formatDiffTitle({ path, change, added, removed }: FileDiff, workspace: string | null): string {
  const verb = { create: "new ", replace: "", delete: "deleted " }[change];
  const counts = added + removed === 0 ? "" : ` (+${added} −${removed})`;
  return `${verb}${escapeInvisible(relativePath(path, workspace))}${counts}`;
}

/** A path as it is named in its workspace. */
export function relativePath(path: string, workspace: string | null): string {
  return workspace !== null && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

/** The rows of a unified diff, each behind a margin. Where it has one hunk, the line with its numbers is left out. */
export function quoteDiff({ diff, left }: Pick<FileDiff, "diff" | "left">): readonly string[] {
  if (diff === "") return [];
  const rows = diff.split("\n");
  const hunks = rows.filter((row) => row.startsWith("@@")).length;
  return rows.flatMap((row) => {
    if (row.startsWith("@@")) return hunks === 1 && left === 0 ? [] : quoteLines(row);
    if (row.startsWith("\\")) return [];
    return quoteLines(row.slice(1), `${row.slice(0, 1)} `, "emoji");
  });
}
