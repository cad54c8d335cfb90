import type { Effort } from "../model/effort.ts";

/** The provider package that speaks to a provider. */
export type ProviderProtocol = "openai-compatible" | "openai" | "anthropic" | "google";

/**
 * How thinking without a signature goes back to the provider that it came from: not at all, or in the field of the message that the provider reads. What a provider
 * signed or encrypted always goes back to it.
 */
export type ThinkingReplay = "none" | "reasoning_content" | "reasoning";

/**
 * How an Ollama server runs a model: the size of its context in tokens, and how much it thinks; null for its
 * own default.
 */
export type OllamaOptions = { readonly numCtx: number; readonly think: boolean | Effort | null };

/** The address and key of one provider. They reach no other provider, and no message contains the key. */
export type ProviderEndpoint = {
  readonly name: string;
  readonly protocol: ProviderProtocol;
  readonly baseUrl: string;
  /** Null if none is needed. */
  readonly apiKey: string | null;
  readonly thinkingReplay: ThinkingReplay;
  /** Where the provider caches a prompt only up to marks: whose marks it reads for a model; null where it caches by itself or not at all. */
  readonly cacheMarks: (model: string) => "anthropic" | "openrouter" | null;
  /** Whether a model writes its thinking into its text. */
  readonly writesThinking: (model: string) => boolean;
  /** How much its models that think shall think; null for the provider's own default. */
  readonly effort: Effort | null;
  /** Whether the provider's usage says what an answer cost. */
  readonly statesCost: boolean;
  /** Whether the model has native tool calls. If not, earlier calls and results are sent as text. */
  readonly callsTools: boolean;
  /**
   * How an Ollama server is to run a model; null where that cannot be set. Throws where the server does not
   * answer.
   */
  readonly ollamaOptions: (model: string, cancel: AbortSignal) => Promise<OllamaOptions | null>;
};
