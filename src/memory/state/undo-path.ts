import type { StoredChange } from "./changes.ts";

/** The path back through the changes of a file. */
export type UndoPath = {
  /** The digest of the file at its end: SHA-256 in hex, null for no file. */
  readonly digest: string | null;
  /** The permission bits of the file at its end, if the file must be made again; null if they are not known. */
  readonly mode: number | null;
  /** The changes on the path, newest first. */
  readonly passed: readonly StoredChange[];
  /** True if somebody else changed the file in between: the path ends there. */
  readonly conflict: boolean;
};

/**
 * Goes back through the changes of a file, newest first, from its contents now. A change that was never made, or is undone already, is passed without a
 * step. A text that somebody else wrote in between ends the path.
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

/** The changes whose `undone` flips when these changes are undone: the changes that stood, and the changes that they had undone themselves. */
export function changesFlippedByUndo(passed: readonly StoredChange[]): readonly number[] {
  const own = new Set(passed.map(({ number }) => number));
  const turned = new Set(passed.filter(({ undone }) => !undone).map(({ number }) => number));
  for (const number of passed.flatMap(({ undid }) => undid)) {
    if (own.has(number)) continue;
    if (!turned.delete(number)) turned.add(number);
  }
  return [...turned];
}
