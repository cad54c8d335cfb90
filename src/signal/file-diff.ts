import { changedLines, type Hunk, linesOf } from "../text/diff/changed-lines.ts";
import { pushAll } from "../text/lists.ts";
import { utf16Text } from "../text/utf16-text.ts";
import { changedPart } from "./changed-part.ts";
import type { Label } from "./label.ts";

/** What an action changes in one file, for a person. */
export type FileDiff = {
  /** Real and absolute. */
  readonly path: string;
  readonly change: "create" | "replace" | "delete";
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /**
   * The hunks of a unified diff; empty where the contents are no text or very long. A carriage return at the
   * end of a line is left out, and shown as a sign where not all of these lines have one.
   */
  readonly diff: string;
  /** Lines of the diff that are left out at its end. */
  readonly left: number;
  /** Of the last entry of a long list: the files that it stands for, itself among them. */
  readonly rest?: { readonly files: number; readonly deleted: number };
  /** True where nobody counted its lines. */
  readonly uncounted?: true;
};

/**
 * Shows what a run would change in files. `label` is that of the contents, which the diffs quote. `made`:
 * what
 * it changed, where nobody knows that before it ran.
 */
export type ChangePreview = {
  readonly label: Label;
  readonly diffs: () => Promise<readonly FileDiff[]>;
  readonly made?: () => Promise<MadePreview>;
};

/** What a call changed in files, and the label of what is shown of them. */
export type MadePreview = { readonly label: Label; readonly diffs: readonly FileDiff[] };

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
export const largestCompared = 8_000_000;

/**
 * Compares two versions of a file; null where there is no file. Where more than `largest` characters lie
 * between the first change and the last, the lines are not compared.
 */
export function diffFile(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array | null,
  largest = Number.POSITIVE_INFINITY,
): FileDiff {
  const change = after === null ? "delete" : before === null ? "create" : "replace";
  const [old, now] = textsOf(before, after);
  const part = old === null || now === null ? null : changedPart(old, now);
  if (part === null || part.before.length + part.after.length > largest)
    return diffOfWhole(path, wholeOf(before, old), wholeOf(after, now, before));
  const [left, right] = [linesOf(part.before), linesOf(part.after)];
  const hunks = changedLines(left, right);
  const rows = groupsOf(hunks).flatMap((group) => rowsOf(cutLines(windowOf(group, left, right)), part.line));
  const ends = [...left, ...right].filter((line) => line.endsWith("\n"));
  const isMixed = new Set(ends.map((line) => line.endsWith("\r\n"))).size > 1;
  const shown = shorten(rows.map((row) => row.replace(/\r$/, isMixed ? "␍" : "")));
  return {
    path,
    change,
    added: hunks.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
    removed: hunks.reduce((sum, { from, to }) => sum + to - from, 0),
    diff: shown.join("\n"),
    left: rows.length - shown.length,
  };
}

/**
 * Shows a change of a file that is not compared line by line: each version, null for no file, stands as one
 * line.
 */
export function diffOfWhole(path: string, before: string | null, after: string | null): FileDiff {
  const change = after === null ? "delete" : before === null ? "create" : "replace";
  const rows = [...(before === null ? [] : [`-${before}`]), ...(after === null ? [] : [`+${after}`])];
  const [removed, added] = [before, after].map((version) => (version === null ? 0 : 1));
  const range = `@@ -${removed === 1 ? "1" : "0,0"} +${added === 1 ? "1" : "0,0"} @@`;
  return {
    path,
    change,
    added: added ?? 0,
    removed: removed ?? 0,
    diff: [range, ...rows].join("\n"),
    left: 0,
  };
}

/**
 * A version of a file whose lines are not compared, in words; `text` is null where it has none. With the
 * first
 * byte that differs from another version.
 */
function wholeOf(
  bytes: Uint8Array | null,
  text: string | null,
  other: Uint8Array | null = null,
): string | null {
  if (bytes === null) return null;
  const kind = text !== null || bytes.length > largestCompared ? "large" : "binary";
  const what = `${kind}, ${bytes.length.toLocaleString("en")} bytes`;
  if (other === null) return what;
  const at = bytes.findIndex((byte, index) => byte !== other[index]);
  return `${what}, other from byte ${((at === -1 ? bytes.length : at) + 1).toLocaleString("en")} on`;
}

/** Characters of a line that are shown, and of them those before the first that differs. */
const longestLine = { shown: 400, before: 100 };

/** The lines of both versions, long ones that changed cut to the part that differs. */
function cutLines(shown: Window): Window {
  const { group, before, after } = shown;
  const [left, right] = [before.map((line) => cutLine(line, 0)), [...after]];
  for (const { from, to, newFrom, newTo } of group) {
    for (let index = 0; index < Math.max(to - from, newTo - newFrom); index += 1) {
      const old = from + index < to ? before[from + index] : undefined;
      const now = newFrom + index < newTo ? after[newFrom + index] : undefined;
      const start = old === undefined || now === undefined ? 0 : firstDifference(old, now);
      if (old !== undefined) left[from + index] = cutLine(old, start);
      if (now !== undefined) right[newFrom + index] = cutLine(now, start);
    }
  }
  return { ...shown, before: left, after: right };
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

/** A line, or a long one as the part around a place; no character is split. */
function cutLine(line: string, place: number): string {
  if (line.length <= longestLine.shown + longestLine.before) return line;
  const end = line.endsWith("\n") ? "\n" : "";
  const from = Math.max(0, Math.min(place - longestLine.before, line.length - longestLine.shown));
  const part = line.slice(from, from + longestLine.shown).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  const isLast = from + longestLine.shown >= line.length;
  return `${from > 0 ? "…" : ""}${part.replace(/\n$/, "")}${isLast ? "" : "…"}${end}`;
}

/** The whole unified diff of two versions of a file, whatever its length; null where a version is no text, or too long to be compared. */
export function wholeDiff(before: Uint8Array | null, after: Uint8Array): string | null {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === null || now === null) return null;
  const part = changedPart(old, now);
  const [left, right] = [linesOf(part.before), linesOf(part.after)];
  return groupsOf(changedLines(left, right))
    .flatMap((group) => rowsOf(windowOf(group, left, right), part.line))
    .join("\n");
}

/**
 * The texts of two versions. Where one is of an encoding with a byte for each character, as Latin-1, both are
 * read so: bytes that stay are the same.
 */
function textsOf(
  before: Uint8Array | null,
  after: Uint8Array | null,
): readonly [string | null, string | null] {
  const texts = [textOf(before), textOf(after)] as const;
  return texts.includes(null) ? [singleByteText(before), singleByteText(after)] : texts;
}

/** A text with a byte a character, half of them ASCII; null where it looks like none or is too long. */
function singleByteText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return "";
  const isControl = (byte: number): boolean => byte < 0x20 && !lineControls.has(byte);
  if (bytes.length > largestCompared || bytes.some(isControl)) return null;
  const ascii = bytes.reduce((count, byte) => (byte < 0x80 ? count + 1 : count), 0);
  return 2 * ascii < bytes.length ? null : new TextDecoder("windows-1252").decode(bytes);
}

/** The tab, the ends of lines and pages, and the escape character. */
const lineControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/**
 * The text of a file; null where it is neither UTF-8 nor UTF-16 with a mark, has zero bytes, or is too long
 * to be compared.
 */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return "";
  if (bytes.length > largestCompared) return null;
  const wide = utf16Text(bytes);
  if (wide !== null) return wide;
  if (bytes.includes(0)) return null;
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

/** The lines of a hunk of a diff: `group` counts from its first. */
type Window = {
  readonly group: readonly Hunk[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Lines before it in both versions. */
  readonly start: number;
  readonly newStart: number;
};

/** Changes with the lines around them. */
function windowOf(group: readonly Hunk[], before: readonly string[], after: readonly string[]): Window {
  const [first, last] = [group.at(0), group.at(-1)];
  if (first === undefined || last === undefined)
    return { group: [], before: [], after: [], start: 0, newStart: 0 };
  const start = Math.max(0, first.from - context);
  const end = Math.min(before.length, last.to + context);
  const newStart = first.newFrom - (first.from - start);
  const newEnd = last.newTo + (end - last.to);
  return {
    group: group.map(({ from, to, newFrom, newTo }) => ({
      from: from - start,
      to: to - start,
      newFrom: newFrom - newStart,
      newTo: newTo - newStart,
    })),
    before: before.slice(start, end),
    after: after.slice(newStart, newEnd),
    start,
    newStart,
  };
}

/** The rows of a hunk; `line`: lines before what was compared. */
function rowsOf({ group, before, after, start, newStart }: Window, line: number): readonly string[] {
  const rows: string[] = [];
  let at = 0;
  for (const { from, to, newFrom, newTo } of group) {
    pushAll(rows, marked(" ", before.slice(at, from)));
    pushAll(rows, marked("-", before.slice(from, to)));
    pushAll(rows, marked("+", after.slice(newFrom, newTo)));
    at = to;
  }
  pushAll(rows, marked(" ", before.slice(at)));
  const [old, now] = [line + start, line + newStart];
  return [`@@ -${rangeOf(old, old + before.length)} +${rangeOf(now, now + after.length)} @@`, ...rows];
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
