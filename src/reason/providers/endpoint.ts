/** The provider package that speaks to a provider. */
export type ProviderProtocol = "openai-compatible" | "openai" | "anthropic" | "google";

/** The address and key of one provider. They reach no other provider, and no message contains the key. */
export type ProviderEndpoint = {
  readonly name: string;
  readonly protocol: ProviderProtocol;
  readonly baseUrl: string;
  /** Null if none is needed. */
  readonly apiKey: string | null;
  /** Whether thinking without a signature is sent back to the provider. */
  readonly replaysThinking: boolean;
  /** Whether a model writes its thinking into its text. */
  readonly writesThinking: (model: string) => boolean;
  /** Whether the provider's usage says what an answer cost. */
  readonly statesCost: boolean;
  /** Whether the model has native tool calls. If not, earlier calls and results are sent as text. */
  readonly callsTools: boolean;
  /** The size of the context that an Ollama server is to run a model with, in tokens; null where it cannot be set. Throws where the server does not answer. */
  readonly numCtx: (model: string, cancel: AbortSignal) => Promise<number | null>;
};
