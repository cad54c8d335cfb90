/** Something of a conversation that a provider refused, so that it is left out of what this provider gets. */
export type RefusedContent = {
  readonly provider: string;
  /** The digest of the settings, and the model, that refused it. With others it is sent again. */
  readonly settings: string;
  readonly model: string;
  /** SHA-256 of the message; null where the provider wants the strict form of all messages. */
  readonly message: string | null;
  /** What of the message is left out: what stands beside its text, or all of it. */
  readonly out: "extras" | "all";
};

/** Keeps what was refused over a restart. */
export type RefusedContents = {
  readonly all: () => Promise<readonly RefusedContent[]>;
  /** Replaces what is kept. */
  readonly save: (refused: readonly RefusedContent[]) => Promise<void>;
};
