import { type FileVersions, mergeVersions, sameBytes } from "../../../act/files/merge-versions.ts";
import { isNoted } from "../../../act/files/org-note.ts";
import { type EditorBuffers, readPresentFile } from "../../../act/files/present-file.ts";
import type { State } from "../../../memory/state/state.ts";
import type { FileChange } from "../../../signal/tool.ts";
import type { FileState } from "../../../turn/recover-turn.ts";

/**
 * How a file is after a call was cut off that was about to change it: by its digest; by the note that the
 * call adds; or, where somebody else changed the file too, by the lines of the change, while the contents
 * before and after it are kept.
 */
export async function stateOfFile(
  { changes }: Pick<State, "changes">,
  buffers: EditorBuffers,
  { path, before, after, adds, inBuffer }: FileChange,
): Promise<FileState> {
  const present = await readPresentFile(path, buffers);
  if (!present.ok) return "other";
  const { contents: held, onDisk } = present.value;
  const digest = held?.digest ?? null;
  if (digest === after) return "after";
  if (digest === before) return "before";
  // A buffer that is gone took its changes along.
  if (onDisk === undefined && inBuffer?.onDisk === digest) return "before";
  const now = held?.bytes ?? null;
  if (adds !== undefined) return isNoted(now, adds) ? "after" : "before";
  const contents = async (kept: string | null) => (kept === null ? null : await changes.preImage(kept));
  const [old, made] = await Promise.all([contents(before), contents(after)]);
  if (old?.status !== "kept" || made?.status !== "kept") return "other";
  if (changesNothing({ base: old.bytes, ours: made.bytes, theirs: now })) return "after";
  if (changesNothing({ base: made.bytes, ours: old.bytes, theirs: now })) return "before";
  return "other";
}

/** Whether the contents have our change already. */
function changesNothing(versions: FileVersions): boolean {
  const merged = mergeVersions(versions);
  return merged.ok && sameBytes(merged.bytes, versions.theirs);
}
