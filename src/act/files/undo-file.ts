import { inBuffer } from "../../signal/editor-buffer.ts";
import { done, problem } from "./fallible.ts";
import { mergeVersions, sameBytes } from "./merge-versions.ts";
import { type EditorBuffers, readPresentFile } from "./present-file.ts";
import type { KeepPreImage } from "./replace.ts";
import { replacePresent } from "./replace-present.ts";

/** One file change to undo: the contents that the undo goes back from, and those that it goes back to (null: no file). */
export type FileToUndo = {
  readonly path: string;
  readonly from: Uint8Array | null;
  readonly preImage: { readonly bytes: Uint8Array; readonly mode: number } | null;
  /** Keeps the current contents, so that the undo can be undone. */
  readonly keepPreImage: KeepPreImage;
  /** Left out where no editor is asked. */
  readonly buffers?: EditorBuffers | undefined;
};

/** The result of an undo: a status and a message for a person. */
export type UndoOutcome = {
  readonly status: "restored" | "deleted" | "merged" | "unchanged" | "conflict" | "failed";
  readonly message: string;
};

/** Restores the contents of a file. What somebody changed in other lines since stays; where they changed the same lines, the file stays, the copy is kept, and the conflict is reported. */
export async function undoFile({
  path,
  from,
  preImage,
  keepPreImage,
  buffers,
}: FileToUndo): Promise<UndoOutcome> {
  const present = await readPresentFile(path, buffers);
  if (!present.ok) return { status: "failed", message: `Not undone. ${present.message}` };
  const { contents, onDisk } = present.value;
  const to = preImage?.bytes ?? null;
  const shown = placeOfUndo(path, onDisk !== undefined);
  if (sameBytes(contents?.bytes ?? null, to))
    return { status: "unchanged", message: `${shown} is already as it was before.` };
  const replaced = await replacePresent(
    {
      path,
      before: from,
      after: to,
      mode: preImage?.mode ?? null,
      keepPreImage,
      carryOver(found) {
        const merged = mergeVersions({ base: from, ours: to, theirs: found });
        return merged.ok ? done(merged.bytes) : problem("conflict", "");
      },
    },
    onDisk === undefined ? undefined : buffers,
  );
  if (!replaced.ok)
    return replaced.code === "conflict"
      ? conflict(path)
      : { status: "failed", message: `Not undone. ${replaced.message}` };
  const isMerged = !sameBytes(replaced.value.after, to);
  const status = isMerged ? "merged" : to === null ? "deleted" : "restored";
  return { status, message: describeUndone(shown, status) };
}

/** A path as an undo names it. */
export function placeOfUndo(path: string, isInBuffer: boolean): string {
  return isInBuffer ? `${path} (${inBuffer})` : path;
}

/** What is said of a file behind its path. `again`: where it was an undo that was taken back. */
const said = {
  merged: {
    undone: "is without that change again. What somebody else changed in it since stays.",
    again: "has that change again. What somebody else changed in it since stays.",
  },
  deleted: { undone: "did not exist before and was deleted.", again: "is deleted again." },
  restored: { undone: "is as it was before.", again: "has that change again." },
};

/** Tells that a change was undone in a file; in a merged one somebody else changed other lines. */
export function describeUndone(path: string, how: keyof typeof said): string {
  return `${path} ${said[how].undone}`;
}

/** Lines that tell what was undone, as they are told of a redo. */
export function asRedone(lines: string): string {
  const asTold = (line: string): string => {
    const found = Object.values(said).find(({ undone }) => line.endsWith(` ${undone}`));
    return found === undefined ? line : line.slice(0, -found.undone.length) + found.again;
  };
  return lines.split("\n").map(asTold).join("\n");
}

function conflict(path: string): UndoOutcome {
  return {
    status: "conflict",
    message: `${path} was changed by somebody else since, in the same lines, so it was left unchanged. The copy from before is kept; compare the two and decide.`,
  };
}
