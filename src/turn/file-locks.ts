import type { NoteToForget } from "../memory/notes/edits/note-copies.ts";
import type { DeferredEdit } from "../memory/state/deferred-edits.ts";

/** The locks that editors hold on files, and what is kept for edits that wait for them. */
export type FileLocks = {
  /** A sentence that says who holds a file; null where nobody does, or where the lock cannot be read: writing the file then says why. */
  readonly holderOf: (path: string) => Promise<string | null>;
  /** Watches the locks of these files, and of no others. */
  readonly watch: (paths: readonly string[]) => void;
  /** Keeps what a file holds now, if it can be kept, for a later merge. Gives its SHA-256 in hex; null where there is no file. */
  readonly keepBase: (path: string) => Promise<string | null>;
  /** Saves an edit that could not be made where the person finds it. Gives the sentence that says where. */
  readonly setAside: (edit: DeferredEdit) => Promise<string>;
  /** Deletes what was set aside of a note. Gives how many versions and edits were deleted. */
  readonly forgetSetAside: (note: NoteToForget) => Promise<number>;
};
