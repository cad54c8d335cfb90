import { changedLines, type Hunk, linesOf } from "./changed-lines.ts";
import type { Label } from "./label.ts";

/** What an action changes in one file, for a person. */
export type FileDiff = {
  /** Real and absolute. */
  readonly path: string;
  readonly change: "create" | "replace" | "delete";
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** The hunks of a unified diff; empty where the contents are no text or very long. */
  readonly diff: string;
  /** Lines of the diff that are left out at its end. */
  readonly left: number;
};

/** Shows what a run would change in files. `label` is that of the contents, which the diffs quote. */
export type ChangePreview = {
  readonly label: Label;
  readonly diffs: () => Promise<readonly FileDiff[]>;
};

/** Shows a change of one file. */
export function previewChange({
  file: { path },
  current,
  bytes,
  label,
}: {
  readonly file: { readonly path: string };
  readonly current: Uint8Array | null;
  readonly bytes: Uint8Array;
  readonly label: Label;
}): ChangePreview {
  const isSame = current !== null && Buffer.from(current).equals(bytes);
  return { label, diffs: async () => (isSame ? [] : [diffFile(path, current, bytes)]) };
}

/** Lines around a change. */
const context = 3;
/** Lines and characters of a diff that are kept. */
const most = { lines: 400, characters: 60_000 };
/** Bytes of a file above which its lines are not compared. */
const largest = 2_000_000;

/** Compares two versions of a file; null where there is no file. */
export function diffFile(path: string, before: Uint8Array | null, after: Uint8Array | null): FileDiff {
  const change = after === null ? "delete" : before === null ? "create" : "replace";
  const [old, now] = [textOf(before), textOf(after)];
  if (old === null || now === null) return { path, change, added: 0, removed: 0, diff: "", left: 0 };
  const [left, right] = [linesOf(old), linesOf(now)];
  const hunks = changedLines(left, right);
  const rows = groupsOf(hunks).flatMap((group) => rowsOf(group, left, right));
  const shown = shorten(rows);
  return {
    path,
    change,
    added: hunks.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
    removed: hunks.reduce((sum, { from, to }) => sum + to - from, 0),
    diff: shown.join("\n"),
    left: rows.length - shown.length,
  };
}

/** The whole unified diff of two versions of a file, whatever its length; null where a version is no text, or too long to be compared. */
export function wholeDiff(before: Uint8Array | null, after: Uint8Array): string | null {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === null || now === null) return null;
  const [left, right] = [linesOf(old), linesOf(now)];
  return groupsOf(changedLines(left, right))
    .flatMap((group) => rowsOf(group, left, right))
    .join("\n");
}

/** The text of a file; null where it is no UTF-8, has zero bytes, or is too long to be compared. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return "";
  if (bytes.length > largest || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Changes whose context touches stand in one hunk. */
function groupsOf(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.from - (last.at(-1)?.to ?? 0) <= 2 * context) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function rowsOf(
  group: readonly Hunk[],
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  const [first, last] = [group.at(0), group.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = Math.max(0, first.from - context);
  const end = Math.min(before.length, last.to + context);
  const newStart = first.newFrom - (first.from - start);
  const newEnd = last.newTo + (end - last.to);
  const rows: string[] = [];
  let at = start;
  for (const { from, to, newFrom, newTo } of group) {
    rows.push(...marked(" ", before.slice(at, from)), ...marked("-", before.slice(from, to)));
    rows.push(...marked("+", after.slice(newFrom, newTo)));
    at = to;
  }
  rows.push(...marked(" ", before.slice(at, end)));
  return [`@@ -${rangeOf(start, end)} +${rangeOf(newStart, newEnd)} @@`, ...rows];
}

/** A range of lines as a unified diff writes it. */
function rangeOf(start: number, end: number): string {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"],
  );
}

function shorten(rows: readonly string[]): readonly string[] {
  let characters = 0;
  const end = rows.findIndex((row, index) => {
    characters += row.length + 1;
    return index >= most.lines || characters > most.characters;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
