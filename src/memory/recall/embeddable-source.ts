import type { LabelledText } from "./embedding-port.ts";

/** Texts that may get vectors, as the hashes of their words by id. Where `whole` is true these are all of them, else only those that came. */
export type EmbeddableTexts = { readonly whole: boolean; readonly texts: ReadonlyMap<string, string> };

/** The current text behind a hash of words. */
export type EmbeddableText = { readonly id: string; readonly words: string; readonly text: LabelledText };

/** Where texts that get vectors come from: the notes, or what was said in sessions. A source names only what the embedder may see. */
export type EmbeddableSource = {
  /** What changed since the last call that was not followed by `forget`; null where the texts cannot be read now. */
  readonly changes: (cancel: AbortSignal) => Promise<EmbeddableTexts | null>;
  /** The next changes are all texts. */
  readonly forget: () => void;
  /** The texts of these ids; none for a text that is gone, or that the embedder may no longer see. */
  readonly texts: (ids: readonly string[]) => Promise<readonly EmbeddableText[]>;
};
