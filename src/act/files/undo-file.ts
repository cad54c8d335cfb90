import { digestBytes, readWholeFile } from "./contents.ts";
import { type KeepPreImage, replaceFile } from "./replace.ts";

/** One file change to take back: the digest that it left, and what was there before (null: there was no file). */
export type FileToUndo = {
  readonly path: string;
  readonly after: string | null;
  readonly preImage: { readonly bytes: Uint8Array; readonly mode: number } | null;
  /** Keeps what is there now, so that the undo can itself be undone. */
  readonly keepPreImage: KeepPreImage;
};

/** What became of an undo, in a word and in words. */
export type UndoOutcome = {
  readonly status: "restored" | "deleted" | "unchanged" | "conflict" | "failed";
  readonly message: string;
};

/** Puts back what a file held, unless somebody changed the file since: then it stays, the copy stays too, and the conflict is reported. */
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
    message: `${path} was changed by somebody else since, so it was left as it is. The copy from before is kept; compare the two and decide.`,
  };
}
