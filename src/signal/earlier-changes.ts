/** The changes of files by earlier calls of a turn and by its sub-tasks, in order. */
export type EarlierChanges = {
  readonly changes: readonly EarlierChange[];
  /** The files that the owner was told are lost before they said yes, as the questions named them. */
  readonly listed: readonly string[];
};

/**
 * A change of one file, or of all that a command changed, as the set of that name. `wasAsked`: the owner said
 * yes to it.
 */
export type EarlierChange = { readonly wasAsked: boolean } & (
  | {
      readonly kind: "file";
      readonly path: string;
      /** The digest of what it held before; null where there was no file. */
      readonly digest: string | null;
      /** What it held before; null where that is no longer kept. */
      readonly before: () => Promise<Uint8Array | null>;
    }
  | { readonly kind: "command"; readonly set: string }
);
