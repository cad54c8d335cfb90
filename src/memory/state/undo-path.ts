import type { StoredChange } from "./changes.ts";

/** Where the way back through the changes of one file leads. */
export type UndoPath = {
  /** What the file held there: SHA-256 in hex, null for no file. */
  readonly digest: string | null;
  /** The permission bits that it had there, where it has to be made anew; null where they are not known. */
  readonly mode: number | null;
  /** The changes behind it, newest first. */
  readonly passed: readonly StoredChange[];
  /** True where somebody else changed the file in between: there the way ends. */
  readonly conflict: boolean;
};

/**
 * Goes back through changes of one file, newest first, from what it holds now. A change that was kept and never made, or is undone already, is
 * passed without a step. What somebody else wrote in between is never stepped over.
 */
export function findUndoPath(newestFirst: readonly StoredChange[], now: string | null): UndoPath {
  if (newestFirst.at(-1)?.before === now) {
    return { digest: now, mode: null, passed: newestFirst, conflict: false };
  }
  let digest = now;
  let mode: number | null = null;
  for (const [index, change] of newestFirst.entries()) {
    if (digest === change.after) {
      digest = change.before;
      mode = change.mode ?? mode;
    } else if (digest !== change.before) {
      return { digest, mode, passed: newestFirst.slice(0, index), conflict: true };
    }
  }
  return { digest, mode, passed: newestFirst, conflict: false };
}

/** Whose `undone` turns when these changes are taken back: their own, where they stood, and that of what they had undone themselves. */
export function changesFlippedByUndo(passed: readonly StoredChange[]): readonly number[] {
  const own = new Set(passed.map(({ number }) => number));
  const turned = new Set(passed.filter(({ undone }) => !undone).map(({ number }) => number));
  for (const number of passed.flatMap(({ undid }) => undid)) {
    if (own.has(number)) continue;
    if (!turned.delete(number)) turned.add(number);
  }
  return [...turned];
}
