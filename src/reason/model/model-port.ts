import type { Json } from "../../signal/json.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";

/** The prices of a model. Millionths of a dollar for a million tokens. */
export type Prices = {
  readonly inputMicrodollarsPerMillion: number;
  readonly outputMicrodollarsPerMillion: number;
};

/** Tokens, as the provider counted them. */
export type TokenUsage = { readonly inputTokens: number; readonly outputTokens: number };

/** A request to a provider, already rendered for it. */
export type ModelRequest = {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
};

/** A native tool call as the model wrote it. `argumentsText` may be invalid JSON: the answer parser checks it. */
export type ModelCall = { readonly id: string; readonly name: string; readonly argumentsText: string };

/** Why a model stopped. `length`: the answer reached the limit of output tokens. */
export type FinishReason = "stop" | "length" | "calls" | "filtered" | "other";

/** Why an attempt gave no answer. `refused`: no connection could be made. */
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

/** A failed attempt. The message is for people and never contains a key. */
export type ModelFailure = {
  readonly code: FailureCode;
  readonly message: string;
  /** Milliseconds to wait before asking again, as the provider requested; null if it did not say. */
  readonly retryAfterMs: number | null;
  /** Whether the provider started to answer, so that the attempt may have cost something. */
  readonly begun: boolean;
  readonly usage: TokenUsage | null;
};

/** One part of a stream. `progress`: part of a tool call arrived. The last part, and only the last, is `finish` or `failed`. */
export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "progress" }
  | { readonly kind: "call"; readonly call: ModelCall }
  | {
      readonly kind: "finish";
      readonly finishReason: FinishReason;
      readonly usage: TokenUsage | null;
      /** The provider's own parts, to be replayed unchanged to the same provider. */
      readonly raw: Json;
    }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** A service that answers with a model. Its model, address and key reach no other provider. */
export type Provider = {
  readonly name: string;
  /** Whether requests stay on this machine. Private text is sent to local providers only. */
  readonly local: boolean;
  readonly model: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** The prices of `model`; null if they are not known. */
  readonly prices: Prices | null;
  /** Whether the model has native tool calls. If not, requests declare no tools, and its text may be a form. */
  readonly callsTools: boolean;
  /** Sends exactly one request, never throws, and stops at once when cancelled. */
  readonly stream: (request: ModelRequest, cancel: AbortSignal) => AsyncIterable<ModelPart>;
};
