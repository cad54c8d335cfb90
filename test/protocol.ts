/** An answer in no protocol yet. */
export type Spoken = {
  readonly model: string;
  readonly thinking: string;
  /** A signature that the thinking carries where the protocol has one; empty for none. */
  readonly signature: string;
  /** Pieces of chat completions as a server sends them, before the text. */
  readonly deltas: readonly object[];
  readonly pieces: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly usage: { readonly input: number; readonly output: number };
  /** The usage exactly as a provider sends it; null for one made of `usage`. */
  readonly sentUsage: object | null;
  readonly finish: "stop" | "length";
};

/** How one protocol writes an answer: server-sent events before its end, and those that end it. */
export type Protocol = {
  readonly name: "openai" | "responses" | "anthropic" | "google";
  readonly body: (spoken: Spoken) => readonly string[];
  readonly end: (spoken: Spoken) => readonly string[];
  /** An error in the middle of a stream. */
  readonly error: (message: string) => string;
};
