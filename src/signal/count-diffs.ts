import type { FileDiff } from "./file-diff.ts";

/** How much a call changed: files, those of them that it deleted, and lines. */
export type ChangeCount = {
  readonly files: number;
  readonly deleted: number;
  readonly added: number;
  readonly removed: number;
  /** Files whose lines nobody counted; left out where all were counted. */
  readonly uncounted?: number;
};

type CountedDiff = Pick<FileDiff, "change" | "added" | "removed" | "rest" | "uncounted">;

/** Counts what was changed, with the files that a long list does not name. */
export function countDiffs(diffs: readonly CountedDiff[]): ChangeCount {
  const sum = (of: (diff: CountedDiff) => number): number => diffs.reduce((all, diff) => all + of(diff), 0);
  const uncounted = sum((diff) => diff.rest?.files ?? (diff.uncounted === true ? 1 : 0));
  return {
    files: sum(({ rest }) => rest?.files ?? 1),
    deleted: sum(({ rest, change }) => rest?.deleted ?? (change === "delete" ? 1 : 0)),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    ...(uncounted === 0 ? {} : { uncounted }),
  };
}

/** A number of files, in words: `1 file`, `19,999 files`. */
export function wordsOfFiles(files: number): string {
  return files === 1 ? "1 file" : `${files.toLocaleString("en")} files`;
}

/**
 * How much was changed, in words: `+1 −1`, of several files `3 files +3 −3`, of some that are deleted `3
 * files +3 −3, 1 deleted`, and where not all lines were counted `2,000 files +9 −0 in 1,000 of them`.
 */
export function wordsOfCount(count: ChangeCount): string {
  return `${count.files > 1 ? `${wordsOfFiles(count.files)} ` : ""}${wordsOfLines(count)}`;
}

/** The lines of what was changed, and the files that are deleted, in words. */
export function wordsOfLines({ files, deleted, added, removed, uncounted = 0 }: ChangeCount): string {
  const counted = (files - uncounted).toLocaleString("en");
  const part = uncounted === 0 ? "" : files === 1 ? ", lines not counted" : ` in ${counted} of them`;
  const gone = deleted === 0 ? "" : files > 1 ? `, ${deleted.toLocaleString("en")} deleted` : ", deleted";
  return `+${added} −${removed}${part}${gone}`;
}
