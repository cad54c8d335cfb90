import type { Json } from "../../signal/json.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";

/** What a model costs. Millionths of a dollar for a million tokens. */
export type Prices = {
  readonly inputMicrodollarsPerMillion: number;
  readonly outputMicrodollarsPerMillion: number;
};

/** Tokens as the provider counted them. */
export type TokenUsage = { readonly inputTokens: number; readonly outputTokens: number };

/** What is sent to a provider: already rendered for its audience. */
export type ModelRequest = {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
};

/** A native tool call as the model wrote it. The arguments may not parse: the parser of answers decides. */
export type ModelCall = { readonly id: string; readonly name: string; readonly argumentsText: string };

/** Why a model stopped. `length` is an answer that reached the limit of output tokens. */
export type FinishReason = "stop" | "length" | "calls" | "filtered" | "other";

/** Why a try did not give an answer. `refused` is a connection that never came about. */
export type FailureCode =
  | "refused"
  | "timeout"
  | "rate-limited"
  | "server-error"
  | "malformed"
  | "empty"
  | "cut-off"
  | "auth"
  | "too-long"
  | "cancelled"
  | "bad-request";

/** A failed try as a value. The message is for people: it never holds a key. */
export type ModelFailure = {
  readonly code: FailureCode;
  readonly message: string;
  /** Milliseconds that the provider asked to be left alone; null where it did not say. */
  readonly retryAfterMs: number | null;
  /** Whether the provider began to answer, so that the try may have cost something. */
  readonly begun: boolean;
  readonly usage: TokenUsage | null;
};

/** One piece of a stream. `progress` says that something arrives which is not whole yet; `finish` or `failed` comes last, once. */
export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "progress" }
  | { readonly kind: "call"; readonly call: ModelCall }
  | {
      readonly kind: "finish";
      readonly finishReason: FinishReason;
      readonly usage: TokenUsage | null;
      /** The provider's own parts, to be replayed to the same provider as they were. */
      readonly raw: Json;
    }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** Somebody who answers with a model. Model, address and key belong to its record and reach nobody else. */
export type Provider = {
  readonly name: string;
  /** Whether what is sent stays on this machine: private text goes to no other provider. */
  readonly local: boolean;
  readonly model: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Of `model`; null where nobody said. */
  readonly prices: Prices | null;
  /** Sends exactly one request, never throws, and gives up at once when cancelled. */
  readonly stream: (request: ModelRequest, cancel: AbortSignal) => AsyncIterable<ModelPart>;
};
