import type { Effect, LiftedMark } from "../../signal/effect.ts";
import type { Label } from "../../signal/label.ts";
import type { FileChange } from "../../signal/tool.ts";
import type { Json, JsonObject } from "../../text/json.ts";
import type { Versions } from "./check-contents.ts";
import type { InertChange } from "./disarm-change.ts";
import type { Fallible } from "./fallible.ts";
import type { DroppedCopy } from "./replace.ts";

/** A proposed change of one file. `path` is real. */
export type ProposedChange = {
  readonly path: string;
  /** What was typed of it, as an absolute path; the same where nobody typed it. */
  readonly written: string;
  /** The path as the outcome names it. */
  readonly shownAs: string;
  /** The session that the change belongs to. */
  readonly session: string;
  /** The label of everything that flows into the change. */
  readonly label: Label;
  /** The label of the text that the change brings into the file, if other data flows into it too. */
  readonly brought?: Label;
  /** The label of the name of the file, where a proposal chose it. */
  readonly named?: Label;
  /** The file from which nodes move here, with their IDs, before and after the change. */
  readonly movedFrom?: Versions;
  /** Whether the outcome reveals something of the file's contents. */
  readonly readsContents: boolean;
  /**
   * The label of the file's contents after the change. `digest` is the digest of its current contents,
   * `bytes`.
   */
  readonly contentLabel: (digest: string | null, bytes?: Uint8Array) => Label | Promise<Label>;
  /** True for a change that counts for what is on the disk alone: it is never made in a buffer. */
  readonly onlyOnDisk?: true;
  /**
   * The new contents, given the current ones. Called before `contentLabel` and `tells`. `onDisk`: what the
   * file holds
   * where the current contents are those of a buffer that is not saved; null where it holds nothing yet.
   */
  readonly change: (
    current: Uint8Array | null,
    onDisk?: Uint8Array | null,
  ) => Fallible<Uint8Array> | Promise<Fallible<Uint8Array>>;
  /**
   * The same for a change that counts for whatever the file holds once it is made, such as an append. Any
   * other change counts for the contents that were judged.
   */
  readonly carryOver?: (current: Uint8Array | null) => Uint8Array;
  /**
   * The ID of the note that the change adds: where the file has it, the change is made already. Called after
   * `change`.
   */
  readonly adds?: () => string | null;
  /**
   * The label of what the outcome says, where that is not the whole file's; null where it is. Called after
   * `change`.
   */
  readonly toldLabel?: (before: Uint8Array | null, after: Uint8Array) => Promise<Label | null>;
  /** What the outcome says besides the path and the size. */
  readonly tells?: () => JsonObject;
  /** Further effects, and a function to call once the file is changed. */
  readonly also?: {
    readonly effects: readonly Effect[];
    readonly plan: Json;
    readonly after: (before: Uint8Array | null) => Promise<void>;
  };
};

/** A change of one file that was worked out, and is not made yet. */
export type PlannedChange = {
  readonly file: FileChange;
  readonly current: Uint8Array | null;
  /** Whether that is in a buffer of an editor, and not saved. */
  readonly isInBuffer: boolean;
  readonly bytes: Uint8Array;
  readonly label: Label;
  readonly mode: number;
  /** The older copies that are dropped so that the file can be kept as it is now. */
  readonly drops: readonly DroppedCopy[];
  readonly lifts: readonly LiftedMark[];
  readonly inert: InertChange;
  /**
   * Why the file will be executed or obeyed later, by its contents or by another name; null if it will not.
   */
  readonly executedLater: string | null;
  /** What is wrong with the contents, where the present ones have nothing wrong; null if nothing is. */
  readonly breaks: string | null;
};
