import { digestBytes, readWholeFile } from "./contents.ts";
import { type KeepPreImage, replaceFile } from "./replace.ts";

/** One file change to undo: the digest after the change, and the contents before it (null: there was no file). */
export type FileToUndo = {
  readonly path: string;
  readonly after: string | null;
  readonly preImage: { readonly bytes: Uint8Array; readonly mode: number } | null;
  /** Keeps the current contents, so that the undo can be undone. */
  readonly keepPreImage: KeepPreImage;
};

/** The result of an undo: a status and a message for a person. */
export type UndoOutcome = {
  readonly status: "restored" | "deleted" | "unchanged" | "conflict" | "failed";
  readonly message: string;
};

/** Restores the contents of a file. If somebody changed the file since, it stays, the copy is kept, and the conflict is reported. */
export async function undoFile({ path, after, preImage, keepPreImage }: FileToUndo): Promise<UndoOutcome> {
  const current = await readWholeFile(path);
  if (!current.ok) return { status: "failed", message: `Not undone. ${current.message}` };
  const now = current.value?.digest ?? null;
  const before = preImage === null ? null : digestBytes(preImage.bytes);
  if (now === before) return { status: "unchanged", message: `${path} is already as it was before.` };
  if (now !== after) return conflict(path);
  const bytes = preImage?.bytes ?? null;
  const replaced = await replaceFile({
    path,
    before: after,
    bytes,
    mode: preImage?.mode ?? null,
    keepPreImage,
  });
  if (replaced.ok) {
    return bytes === null
      ? { status: "deleted", message: `${path} did not exist before and was deleted.` }
      : { status: "restored", message: `${path} is as it was before.` };
  }
  return replaced.code === "conflict"
    ? conflict(path)
    : { status: "failed", message: `Not undone. ${replaced.message}` };
}

function conflict(path: string): UndoOutcome {
  return {
    status: "conflict",
    message: `${path} was changed by somebody else since, so it was left unchanged. The copy from before is kept; compare the two and decide.`,
  };
}
