import type { NoteToForget } from "../memory/notes/edits/note-copies.ts";
import type { DeferredEdit } from "../memory/state/deferred-edits.ts";

/** The locks that editors hold on files, and what is kept for edits that wait for them. */
export type FileLocks = {
  /** A sentence that says who holds a file; null where nobody does, or where the lock cannot be read: writing the file then says why. */
  readonly holderOf: (path: string) => Promise<string | null>;
  /** Whether an edit of a file can be made now: no editor holds it, or one that makes edits in its buffer. */
  readonly isEditable: (path: string) => Promise<boolean>;
  /**
   * Has the edits of a file wait for its lock, since one of them was not made in the buffer that holds it.
   */
  readonly holdOff: (path: string) => Promise<void>;
  /** Watches the locks of these files, and of no others. */
  readonly watch: (paths: readonly string[]) => void;
  /** Keeps what a file holds now, if it can be kept, for a later merge. Gives its SHA-256 in hex; null where there is no file. */
  readonly keepBase: (path: string) => Promise<string | null>;
  /** Saves an edit that could not be made where the person finds it. Gives the sentence that says where. */
  readonly setAside: (edit: DeferredEdit) => Promise<string>;
  /** Deletes what was set aside of a note. Gives how many versions and edits were deleted. */
  readonly forgetSetAside: (note: NoteToForget) => Promise<number>;
};
