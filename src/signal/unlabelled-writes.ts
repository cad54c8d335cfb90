import type { KeptItems } from "./kept-items.ts";
import type { Label } from "./label.ts";

/** What a command line may have made or changed that has no label yet. Times are Unix milliseconds. */
export type UnlabelledWrites = {
  readonly workspace: string | null;
  /** The files that its output goes to, and whether each was there before. */
  readonly outputs: readonly { readonly path: string; readonly wasThere: boolean }[];
  /** The label of its output, and that of what flows into all that it makes and changes. */
  readonly label: Label;
  readonly inputs: Label;
  readonly begun: number;
  /**
   * When it has ended at the latest, and all that it changed is in its place; null where nothing limits
   * that.
   */
  readonly until: number | null;
  /** The folders of the workspace before it; empty where they are too many. */
  readonly folders: readonly string[];
};

/** Kept from before a line changes anything until what it made is labelled. */
export type KeptWrites = KeptItems<UnlabelledWrites>;
