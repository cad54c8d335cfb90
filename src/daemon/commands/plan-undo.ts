import type { FilePorts } from "../../act/files/file-ports.ts";
import { undoFile } from "../../act/files/undo-file.ts";
import type { StoredChange } from "../../memory/state/changes.ts";
import type { State } from "../../memory/state/state.ts";
import { changesFlippedByUndo, findUndoPath } from "../../memory/state/undo-path.ts";
import type { Effect } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { FileChange } from "../../signal/tool.ts";

/** What reading and restoring files needs. */
export type FileUndoParts = {
  readonly state: State;
  readonly digestOfFile: (path: string) => Promise<string | null>;
  readonly keepPreImage: FilePorts["keepPreImage"];
};

/** What an undo would do to one file. */
export type FileUndoPlan = FileChange & {
  readonly mode: number | null;
  /** The changes that are undone, newest first. */
  readonly passed: readonly StoredChange[];
};

/** What an undo would do, and the conflicts, each as a line of text. */
export type UndoPlan = { readonly files: readonly FileUndoPlan[]; readonly conflicts: readonly string[] };

/** Plans an undo of these changes, oldest first. Reads their files and changes nothing. */
export async function planUndo(parts: FileUndoParts, changes: readonly StoredChange[]): Promise<UndoPlan> {
  const files: FileUndoPlan[] = [];
  const conflicts: string[] = [];
  const newestFirst = changes.filter(({ kind }) => kind === "file").toReversed();
  for (const [path, own] of Map.groupBy(newestFirst, (change) => change.path)) {
    const now = await digestNow(parts, path);
    if (!now.ok) {
      conflicts.push(now.message);
      continue;
    }
    const { digest, mode, passed, conflict } = findUndoPath(own, now.digest);
    if (conflict) conflicts.push(changedSince(path, passed.length > 0));
    if (passed.length > 0) files.push({ path, before: now.digest, after: digest, mode, passed });
  }
  return { files, conflicts };
}

/** The effects of a plan, memory first. */
export function undoEffects(plan: UndoPlan, operation: string): readonly Effect[] {
  const about = { label: bottomLabel, reversal: "undoable" } as const;
  return [
    { kind: "change-memory", target: operation, realm: "own", operation, ...about },
    ...plan.files
      .filter(isChange)
      .map(
        ({ path, before, after }): Effect =>
          after === null
            ? { kind: "delete-path", target: path, ...about }
            : { kind: "write-path", target: path, change: before === null ? "create" : "replace", ...about },
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
  parts.state.diskReserve.makeRoom(restored.preImage?.bytes.length ?? 0);
  const { status, message } = await undoFile({
    path: plan.path,
    after: plan.before,
    preImage: restored.preImage,
    keepPreImage: (path, bytes, had) => {
      mode = plan.after === null ? had : null;
      return parts.keepPreImage(path, bytes, had);
    },
  });
  switch (status) {
    case "restored":
    case "deleted":
      return { ok: true, message, undid, mode };
    case "unchanged":
      return { ok: true, message: "", undid, mode };
    case "conflict":
      return { ok: false, message: changedSince(plan.path, false) };
    case "failed":
      return { ok: false, message };
  }
}

function isChange({ before, after }: FileChange): boolean {
  return before !== after;
}

type Digest =
  | { readonly ok: true; readonly digest: string | null }
  | { readonly ok: false; readonly message: string };

async function digestNow(parts: FileUndoParts, path: string): Promise<Digest> {
  try {
    return { ok: true, digest: await parts.digestOfFile(path) };
  } catch (error) {
    if (error instanceof Error) return { ok: false, message: `Not undone. ${error.message}` };
    throw error;
  }
}

type Contents =
  | { readonly ok: true; readonly preImage: { readonly bytes: Uint8Array; readonly mode: number } | null }
  | { readonly ok: false; readonly message: string };

async function contentsOf(parts: FileUndoParts, { path, after, mode }: FileUndoPlan): Promise<Contents> {
  if (after === null) return { ok: true, preImage: null };
  const kept = await parts.state.changes.preImage(after);
  if (kept.status === "kept") return { ok: true, preImage: { bytes: kept.bytes, mode: mode ?? 0o600 } };
  return {
    ok: false,
    message: `${path}: its former contents are gone (${kept.reason}), so it stays as it is.`,
  };
}

function changedSince(path: string, inPart: boolean): string {
  return inPart
    ? `${path} was also changed by somebody else before that: it went back to what they wrote, and no further.`
    : `${path} was changed by somebody else since, so it was left as it is. Once it is again as the turn left it, it can be undone.`;
}
