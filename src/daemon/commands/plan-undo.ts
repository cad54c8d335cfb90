import { catchFileErrors, type Fallible } from "../../act/files/fallible.ts";
import type { FilePorts } from "../../act/files/file-ports.ts";
import { type EditorBuffers, type PresentFile, readPresentFile } from "../../act/files/present-file.ts";
import { removeMadeFolders } from "../../act/files/remove-made-folders.ts";
import { checkEditorLock } from "../../act/files/replace.ts";
import { describeUndone, placeOfUndo, undoFile } from "../../act/files/undo-file.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import type { State } from "../../memory/state/state.ts";
import { changesFlippedByUndo } from "../../memory/state/undo-path.ts";
import { inBuffer } from "../../signal/editor-buffer.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { FileChange } from "../../signal/tool.ts";
import { least } from "../../text/lists.ts";
import { findMergedPath } from "./merged-path.ts";

/** What reading and restoring files needs. */
export type FileUndoParts = {
  readonly state: State;
  readonly keepPreImage: FilePorts["keepPreImage"];
  /** Left out where no editor is asked. */
  readonly buffers?: EditorBuffers;
};

/** What an undo would do to one file. */
export type FileUndoPlan = FileChange & {
  /** The contents now; null where there is no file. */
  readonly from: Uint8Array | null;
  /** The contents that a merge gives; without a merge they are the kept contents of `after`. */
  readonly merged?: Uint8Array | null;
  readonly mode: number | null;
  /** The permission bits of the file now; null where there is none. */
  readonly modeNow: number | null;
  /** The changes that are undone, newest first. */
  readonly passed: readonly StoredChange[];
  /** Whether it is undone in the buffer of an editor, which is not saved. */
  readonly isInBuffer: boolean;
};

/** What an undo would do, and the conflicts, each as a line of text. */
export type UndoPlan = { readonly files: readonly FileUndoPlan[]; readonly conflicts: readonly string[] };

/** Plans an undo of these changes, oldest first. Reads their files and changes nothing. What somebody else changed in other lines stays. */
export async function planUndo(
  { state, buffers }: Pick<FileUndoParts, "state" | "buffers">,
  changes: readonly StoredChange[],
): Promise<UndoPlan> {
  const files: FileUndoPlan[] = [];
  const conflicts: string[] = [];
  const newestFirst = changes.filter(({ kind }) => kind === "file").toReversed();
  for (const [path, own] of Map.groupBy(newestFirst, (change) => change.path)) {
    const read = await readToUndo(path, buffers);
    if (!read.ok) {
      conflicts.push(`Not undone. ${read.message}`);
      continue;
    }
    const { contents, onDisk } = read.value;
    const now = { digest: contents?.digest ?? null, bytes: contents?.bytes ?? null };
    const { digest, conflict, ...found } = await findMergedPath(state, own, now);
    if (conflict !== null) {
      const why = now.digest === null ? "deleted" : conflict;
      conflicts.push(changedSince(path, found.passed.length > 0 ? "before" : why));
    }
    if (found.passed.length > 0)
      files.push({
        path,
        before: now.digest,
        after: digest,
        from: now.bytes,
        modeNow: contents?.mode ?? null,
        isInBuffer: onDisk !== undefined,
        ...found,
      });
  }
  return { files, conflicts };
}

/**
 * What a file holds now. One that an editor holds and does not tell is left alone: what is in it may be what
 * is to be undone.
 */
async function readToUndo(path: string, buffers: EditorBuffers | undefined): Promise<Fallible<PresentFile>> {
  const present = await readPresentFile(path, buffers);
  if (!present.ok || present.value.onDisk !== undefined) return present;
  return catchFileErrors(path, async () => (await checkEditorLock(path)) ?? present);
}

/** The effects of a plan, memory first. */
export function undoEffects(plan: UndoPlan, operation: string): readonly Effect[] {
  const about = { label: bottomLabel, reversal: "undoable" } as const;
  return [
    { kind: "change-memory", target: operation, realm: "own", operation, ...about },
    ...plan.files.filter(isChange).map(
      ({ path, before, after, merged, isInBuffer }): Effect =>
        after === null
          ? { kind: "delete-path", target: path, ...(merged === undefined ? { isKept: true } : {}), ...about }
          : {
              kind: "write-path",
              target: path,
              change: before === null ? "create" : "replace",
              ...(isInBuffer ? { editor: inBuffer } : {}),
              ...about,
            },
    ),
  ];
}

/** The file changes of a plan, for the journal. */
export function plannedFileChanges(plan: UndoPlan): readonly FileChange[] {
  return plan.files.filter(isChange).map(({ path, before, after }) => ({ path, before, after }));
}

/** The result of restoring one file. */
export type FileUndoResult =
  | {
      readonly ok: true;
      readonly message: string;
      readonly undid: readonly number[];
      readonly mode: number | null;
    }
  | { readonly ok: false; readonly message: string };

/** Restores one file as planned, if it did not change since it was planned. */
export async function restoreFile(parts: FileUndoParts, plan: FileUndoPlan): Promise<FileUndoResult> {
  const undid = changesFlippedByUndo(plan.passed);
  if (!isChange(plan)) return { ok: true, message: "", undid, mode: null };
  const restored = await contentsOf(parts, plan);
  if (!restored.ok) return restored;
  let mode: number | null = null;
  if (!(await parts.state.diskReserve.makeRoom(restored.preImage?.bytes.length ?? 0)))
    return { ok: false, message: `${plan.path} stays as it is: ${noRoomToNote}` };
  const { status, message } = await undoFile({
    path: plan.path,
    from: plan.from,
    preImage: restored.preImage,
    keepPreImage: (versions) => {
      mode = plan.after === null ? versions.mode : null;
      return parts.keepPreImage(versions);
    },
    buffers: plan.isInBuffer ? parts.buffers : undefined,
  });
  if (status === "deleted") await removeFoldersOf(parts, plan);
  switch (status) {
    case "restored":
    case "merged":
    case "deleted":
      return {
        ok: true,
        message:
          plan.merged == null ? message : describeUndone(placeOfUndo(plan.path, plan.isInBuffer), "merged"),
        undid,
        mode,
      };
    case "unchanged":
      return { ok: true, message: "", undid, mode };
    case "conflict":
      return { ok: false, message: changedSince(plan.path, "same-lines") };
    case "failed":
      return { ok: false, message };
  }
}

/** Removes the folders that the turns made for a file which is deleted again. */
async function removeFoldersOf(
  { state }: Pick<FileUndoParts, "state">,
  { path, passed }: FileUndoPlan,
): Promise<void> {
  const turns = await Promise.all(passed.map(({ turn }) => state.turns.get(turn)));
  const since = turns.flatMap((turn) => (turn === null ? [] : [turn.signal.at]));
  const [first] = passed;
  const workspace = first === undefined ? null : (await state.sessions.get(first.session))?.workspace;
  if (typeof workspace === "string" && since.length > 0)
    await removeMadeFolders(path, { workspace, since: least(since) });
}

/** What is said where a change could be made, but not noted. */
export const noRoomToNote =
  "no room is left on the disk of the state to note a change. Free some space, then try again.";

/**
 * Makes a file again what it was before it was restored: what cannot be noted is not done. Says what stays
 * where that fails.
 */
export async function putFileBack(
  parts: FileUndoParts,
  plan: FileUndoPlan,
  mode: number | null,
): Promise<string> {
  const restored = await contentsOf(parts, plan);
  const preImage = plan.from === null ? null : { bytes: plan.from, mode: mode ?? 0o600 };
  const { status, message } = await undoFile({
    path: plan.path,
    from: restored.ok ? (restored.preImage?.bytes ?? null) : null,
    preImage,
    keepPreImage: async () => "",
    buffers: plan.isInBuffer ? parts.buffers : undefined,
  });
  return status === "failed" || status === "conflict"
    ? `${plan.path} was changed, and that could not be noted. ${message}`
    : `${plan.path} stays as it is: ${noRoomToNote}`;
}

function isChange({ before, after }: FileChange): boolean {
  return before !== after;
}

type Contents =
  | { readonly ok: true; readonly preImage: { readonly bytes: Uint8Array; readonly mode: number } | null }
  | { readonly ok: false; readonly message: string };

async function contentsOf(
  parts: FileUndoParts,
  { path, after, merged, mode }: FileUndoPlan,
): Promise<Contents> {
  if (after === null || merged === null) return { ok: true, preImage: null };
  if (merged !== undefined) return { ok: true, preImage: { bytes: merged, mode: mode ?? 0o600 } };
  const kept = await parts.state.changes.preImage(after);
  if (kept.status === "kept") return { ok: true, preImage: { bytes: kept.bytes, mode: mode ?? 0o600 } };
  return {
    ok: false,
    message: `${path}: its former contents are gone (${kept.reason}), so it stays as it is.`,
  };
}

const conflictWords = {
  deleted:
    "was deleted by somebody else since, so it was left as it is. Once it is there again as the turn left it, it can be undone.",
  before: "was also changed by somebody else before that: it went back to what they wrote, and no further.",
  "same-lines":
    "was changed by somebody else since, in the same lines, so it was left as it is. Once it is again as the turn left it, it can be undone.",
  "not-kept":
    "was changed by somebody else since, and what the turn left in it is no longer kept, so it was left as it is. Once it is again as the turn left it, it can be undone.",
};

/** Says that somebody else changed a file, and what became of it. */
export function changedSince(path: string, why: keyof typeof conflictWords): string {
  return `${path} ${conflictWords[why]}`;
}
