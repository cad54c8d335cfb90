import type { InputKind } from "../../signal/attachment.ts";
import type { Message } from "../../signal/message.ts";
import type { PriceOrigin } from "../../signal/spending.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import type { Json } from "../../text/json.ts";
import type { ModelEffort } from "./effort.ts";
import type { Reservation } from "./reservation.ts";
import type { TokenUsage } from "./token-usage.ts";

/** Rates in millionths of a dollar for a million tokens. */
type Rates = {
  readonly inputMicrodollarsPerMillion: number;
  readonly outputMicrodollarsPerMillion: number;
  /** Of input that the provider had in its cache; absent: as other input. */
  readonly cacheReadMicrodollarsPerMillion?: number;
  /** Of input that the provider puts into its cache; absent: as other input. */
  readonly cacheWriteMicrodollarsPerMillion?: number;
  /** Of output that is thinking; absent: as other output. */
  readonly thinkingMicrodollarsPerMillion?: number;
};

/** The prices of a model. */
export type Prices = Rates & {
  /** Rates of a whole call whose input has more tokens, by that number, the smallest first. */
  readonly longerPrompts?: readonly (Rates & { readonly aboveInputTokens: number })[];
};

/** The prices that the owner set; the others come from the price table. */
export type PriceOverrides = Partial<Rates>;

/** Where a limit of a model's record comes from: a setting of the owner, the model table, its server, a bound on what its server could give, the preset of the provider, or a careful assumption. */
export type RecordOrigin = "setting" | "table" | "name" | "server" | "bound" | "preset" | "assumption";

/** What is known of a model. */
export type ModelRecord = {
  readonly model: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens that the window could have at most, where its server tells. */
  readonly largestWindow?: number;
  /** Tokens that an answer may have at most, its thinking included: what a request asks for. */
  readonly maxOutputTokens: number;
  /** Whether the model is known to think before it answers. */
  readonly thinks: boolean;
  /** Left out for a model that is not known to think. */
  readonly effort?: ModelEffort;
  /** What it takes beside text. */
  readonly inputs: readonly InputKind[];
  /** Null if they are not known. */
  readonly prices: Prices | null;
  readonly origin: {
    readonly contextWindow: RecordOrigin;
    readonly maxOutputTokens: RecordOrigin;
    readonly prices: PriceOrigin;
  };
};

/** A request to a provider, already rendered for it. */
export type ModelRequest = {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
  /** How many of the first messages the next turn sends again unchanged, so that a provider may keep them in its cache. */
  readonly stableMessages: number;
  /** The bytes of attached files that the model is given, by their digest; those of all others are told in words. Left out: none. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** The session that it is a part of: its requests begin alike. Left out where it belongs to none. */
  readonly session?: string;
  /**
   * Whether the messages go in the form that the strictest servers take: roles alternate, an answer has no
   * text beside calls, and ids are short.
   */
  readonly strict?: true;
};

/** A native tool call as the model wrote it. `argumentsText` may be invalid JSON: the answer parser checks it. */
export type ModelCall = { readonly id: string; readonly name: string; readonly argumentsText: string };

/** Why a model stopped. `length`: the answer reached the limit of output tokens. */
export type FinishReason = "stop" | "length" | "calls" | "filtered" | "other";

/** Why an attempt gave no answer. `refused`: no connection could be made. `filtered`: the provider declined by its content filter. `out-of-tokens`: the limit was reached before the model said anything. */
export type FailureCode =
  | "refused"
  | "unknown-host"
  | "bad-certificate"
  | "timeout"
  | "rate-limited"
  | "server-error"
  | "malformed"
  | "empty"
  | "out-of-tokens"
  | "cut-off"
  | "auth"
  | "no-quota"
  | "no-model"
  | "filtered"
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
  /** Whether the provider refused the request itself, so that it may take another one. */
  readonly refusesRequest?: true;
};

/** One part of a stream. `progress`: part of a tool call arrived. The last part, and only the last, is `finish` or `failed`. */
export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** All text so far was thinking. */
  | { readonly kind: "withdrawn" }
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
  /** A digest of the address, key and model that the owner set. */
  readonly settings: string;
  /** Whether requests stay on this machine. Private text is sent to local providers only. */
  readonly local: boolean;
  readonly model: string;
  /** The model that is asked where no provider of the cascade fits into the budget; left out or null for none. */
  readonly cheaperModel?: string | null;
  /** What is known of a model of this provider now: prices can depend on the day. */
  readonly recordOf: (model: string) => Promise<ModelRecord>;
  /** Whether the model has native tool calls. If not, requests declare no tools, and its text may be a form. */
  readonly callsTools: boolean;
  /** Whether a model writes its thinking, and perhaps calls of tools, as marks into its text. */
  readonly writesThinking: (model: string) => boolean;
  /** Why the provider cannot be asked now, for want of a key that the vault keeps back; null where it can. */
  readonly withheld?: () => string | null;
  /** Sends exactly one request, whose price is reserved, never throws, and stops at once when cancelled. */
  readonly stream: (
    request: ModelRequest,
    reserved: Reservation,
    cancel: AbortSignal,
  ) => AsyncIterable<ModelPart>;
};
