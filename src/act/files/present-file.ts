import { sha256 } from "../../machine/digest.ts";
import { type FileContents, readWholeFile } from "./contents.ts";
import { done, type Fallible } from "./fallible.ts";

/** The unsaved buffers of connected editors that proved themselves. */
export type EditorBuffers = {
  /**
   * The bytes that a file would be saved as by the editor that holds it; null where no connected editor does,
   * or where it does not tell.
   */
  readonly read: (path: string) => Promise<Uint8Array | null>;
  /**
   * Changes the buffer of a file as one undoable change, all of it or nothing, and saves nothing. A
   * `conflict`: it holds other text than `before`;
   * `locked`: it was not changed for another reason, or nobody knows whether it was.
   */
  readonly replace: (change: {
    readonly path: string;
    readonly before: Uint8Array;
    readonly after: Uint8Array;
  }) => Promise<Fallible<null>>;
};

/** A file as its owner has it before them. */
export type PresentFile = {
  /**
   * What it holds: the text of the unsaved buffer where `onDisk` is not left out. Null where there is none.
   */
  readonly contents: FileContents | null;
  /** What it holds on the disk, where an editor gave the text of its unsaved buffer. */
  readonly onDisk?: FileContents | null;
};

/**
 * Reads a whole file: from the editor that has unsaved changes of it where that can be asked, else from the
 * disk.
 */
export async function readPresentFile(
  path: string,
  buffers: EditorBuffers | undefined,
): Promise<Fallible<PresentFile>> {
  const read = await readWholeFile(path);
  if (!read.ok) return read;
  const bytes = (await buffers?.read(path)) ?? null;
  if (bytes === null) return done({ contents: read.value });
  const about = read.value ?? { mode: 0, owner: 0, group: 0 };
  return done({ contents: { ...about, bytes, digest: sha256(bytes) }, onDisk: read.value });
}
