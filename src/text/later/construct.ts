/** A passage of a file that a program would execute or obey. */
export type Construct = {
  /** What obeys it, in words. */
  readonly why: string;
  /** Where a comma makes it inert: an offset into the text. */
  readonly at: number;
  /** The passage. Two constructs with the same text do the same. */
  readonly text: string;
};

/** A file with more constructs is not understood: nothing is written into it that is not the owner's. */
export const mostConstructs = 10_000;
