import { mergeVersions } from "../../act/files/merge-versions.ts";
import { sha256 } from "../../machine/digest.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import type { State } from "../../memory/state/state.ts";
import { findUndoPath, type UndoPath } from "../../memory/state/undo-path.ts";

/** A version of a file: its digest and its contents; null where there is no file. */
type Version = { readonly digest: string | null; readonly bytes: Uint8Array | null };

/** The path back through the changes of a file, and why it ends early, if it does. */
export type MergedPath = Omit<UndoPath, "conflict"> & {
  /** The contents at its end where they are a merge; otherwise they are kept under their digest. */
  readonly merged?: Uint8Array | null;
  readonly conflict: "same-lines" | "not-kept" | null;
};

/**
 * Goes back through the changes of a file, newest first. Where somebody else changed the file too, each change is undone on its own in what the file
 * holds by then, if they changed other lines.
 */
export async function findMergedPath(
  state: Pick<State, "changes">,
  newestFirst: readonly StoredChange[],
  now: Version,
): Promise<MergedPath> {
  const { conflict, ...exact } = findUndoPath(newestFirst, now.digest);
  if (!conflict) return { ...exact, conflict: null };
  if (await isUnfinishedUndo(state, newestFirst, now.digest))
    return { digest: now.digest, mode: null, passed: newestFirst, conflict: null };
  const bytes = exact.passed.length === 0 ? now.bytes : await contentsOf(state, exact.digest);
  if (bytes === undefined) return { ...exact, conflict: "not-kept" };
  const passed = [...exact.passed];
  let at: Version = { digest: exact.digest, bytes };
  let why: MergedPath["conflict"] = null;
  for (const change of newestFirst.slice(passed.length)) {
    const undone = await undoOn(state, change, at);
    if (typeof undone === "string") {
      why = undone;
      break;
    }
    at = undone;
    passed.push(change);
  }
  const merged = passed.length === exact.passed.length ? {} : { merged: at.bytes };
  return { digest: at.digest, mode: exact.mode, passed, conflict: why, ...merged };
}

/** Undoes a change in a version that others changed too, or says why it cannot be done. */
async function undoOn(
  state: Pick<State, "changes">,
  { before, after }: StoredChange,
  at: Version,
): Promise<Version | "same-lines" | "not-kept"> {
  if (at.digest === before) return at;
  const ours = await contentsOf(state, before);
  const base = at.digest === after ? at.bytes : await contentsOf(state, after);
  if (ours === undefined || base === undefined) return "not-kept";
  const merged = mergeVersions({ base, ours, theirs: at.bytes });
  if (!merged.ok) return "same-lines";
  const { bytes } = merged;
  return { digest: bytes === null ? null : sha256(bytes), bytes };
}

/** The kept contents of a version; null where there was no file, undefined where they are not kept. */
async function contentsOf(
  { changes }: Pick<State, "changes">,
  digest: string | null,
): Promise<Uint8Array | null | undefined> {
  if (digest === null) return null;
  const kept = await changes.preImage(digest);
  return kept.status === "kept" ? kept.bytes : undefined;
}

/** Whether the file is as an undo wanted it that was cut off before it was confirmed. */
async function isUnfinishedUndo(
  { changes }: Pick<State, "changes">,
  [newest]: readonly StoredChange[],
  now: string | null,
): Promise<boolean> {
  if (newest === undefined) return false;
  const later = await changes.since(newest.number);
  return later.some(
    ({ path, after, undone, undid }) => path === newest.path && after === now && undone && undid.length === 0,
  );
}
