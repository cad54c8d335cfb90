import type { Label } from "../../signal/label.ts";

/** A text to embed, with its label. */
export type LabelledText = { readonly text: string; readonly label: Label };

/** One vector for each text, in order, or the reason why there are none. A text that the embedder may not see gets null. */
export type EmbeddingResult =
  | { readonly ok: true; readonly vectors: readonly (Float32Array | null)[] }
  | { readonly ok: false; readonly reason: string };

/** The port that turns texts into vectors. Each request is judged, priced and journalled behind it. */
export type EmbeddingPort = {
  /** The provider's name, for messages. */
  readonly name: string;
  /** Provider and model. Vectors of different models cannot be compared. */
  readonly model: string;
  /** True where texts stay on this machine, so that private ones may be embedded too. */
  readonly local: boolean;
  readonly embed: (
    request: { readonly texts: readonly LabelledText[]; readonly timeoutMs: number },
    cancel: AbortSignal,
  ) => Promise<EmbeddingResult>;
};
