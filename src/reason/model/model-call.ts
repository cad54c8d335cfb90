import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ModelRoute } from "../../signal/model-route.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import type { Json } from "../../text/json.ts";
import type { CallOrigin } from "./attempt-call.ts";
import type { CascadeFailure, FailedTry } from "./cascade.ts";
import type { FinishReason, ModelCall } from "./model-port.ts";
import type { StreamHooks } from "./receive-answer.ts";
import type { TokenUsage } from "./token-usage.ts";

/** A model call as the turn asks for it, not yet rendered for a provider. */
export type ModelCallRequest = CallOrigin & {
  readonly system: string;
  /** The system text for a model without native tool calls. It describes the tools. */
  readonly formSystem: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  /** Null for as much as the model's record says. */
  readonly maxOutputTokens: number | null;
  /** How many of the first messages belong to finished turns. */
  readonly stableMessages: number;
  /**
   * How many of the last messages belong to this turn. They are never dropped when the prompt is too long.
   * At least 1.
   */
  readonly keepLast: number;
  /**
   * The models that are asked, in order, and no others, with what chose them; null for the order of the
   * settings.
   */
  readonly route: Pick<ModelRoute, "by" | "asked"> | null;
  /**
   * The only provider that is not local to which the owner sends the words of the turn; left out where any
   * may have them.
   */
  readonly wordsFor?: string;
};

/** What a call shows while it runs. */
export type ModelCallHooks = StreamHooks;

/**
 * The result of a model call. `microdollars` is the cost of this answer, an upper bound if `priced` is
 * false.
 */
export type ModelOutcome =
  | {
      readonly ok: true;
      readonly provider: string;
      readonly model: string;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      /** Whether the model has native tool calls. */
      readonly callsTools: boolean;
      /** Whether the model may write its thinking and calls as marks into its text. */
      readonly writesMarks: boolean;
      readonly finishReason: FinishReason;
      /** Tokens that the answer could have at most. */
      readonly maxOutputTokens: number;
      readonly raw: Json;
      /** The label of what was sent to the provider; withheld text does not count. */
      readonly sentLabel: Label;
      readonly usage: TokenUsage;
      readonly microdollars: number;
      readonly priced: boolean;
      readonly tries: readonly FailedTry[];
    }
  | {
      readonly ok: false;
      readonly code: CascadeFailure["code"] | "stopped";
      readonly reason: string;
      readonly tries: readonly FailedTry[];
    };
