import type { Json } from "../../signal/json.ts";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import {
  type AttemptParts,
  type AttemptResult,
  attemptCall,
  type CachedAttemptParts,
  type CallOrigin,
  withCaches,
} from "./attempt-call.ts";
import { type CascadeFailure, describeCascadeFailure, type FailedTry, openCascade } from "./cascade.ts";
import type {
  FinishReason,
  ModelCall,
  ModelRecord,
  ModelRequest,
  Provider,
  TokenUsage,
} from "./model-port.ts";
import type { StreamHooks } from "./receive-answer.ts";
import { retryDelay } from "./retry-delay.ts";
import { trimRequest } from "./trim-request.ts";

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
  /** How many of the last messages belong to this turn. They are never dropped when the prompt is too long. At least 1. */
  readonly keepLast: number;
  /** The order of providers that the turn started with; null for the current order. */
  readonly cascade: readonly string[] | null;
};

/** `onReset` withdraws everything that this call has shown so far. */
export type ModelCallHooks = StreamHooks & { readonly onReset: (reason: string) => void };

/** The result of a model call. `microdollars` is the cost of this answer, an upper bound if `priced` is false. */
export type ModelOutcome =
  | {
      readonly ok: true;
      readonly provider: string;
      readonly model: string;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      /** Whether the model has native tool calls. */
      readonly callsTools: boolean;
      readonly finishReason: FinishReason;
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

/** Chooses the model of a provider: a name, null for the provider's own, or `skip` to pass over the provider. */
export type ModelSelector = (provider: string, request: ModelCallRequest) => string | "skip" | null;

/** What the door needs. `jitter` gives numbers from 0 up to 1. */
export type ModelDoorParts = AttemptParts & {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly cascade: readonly string[];
  readonly selector: ModelSelector | null;
  readonly jitter: () => number;
};

/** The only way to every model. */
export type ModelDoor = {
  readonly callModel: (
    request: ModelCallRequest,
    hooks: ModelCallHooks,
    cancel: AbortSignal,
  ) => Promise<ModelOutcome>;
  readonly cascade: () => readonly string[];
  /** Returns the names that belong to no provider. */
  readonly setCascade: (names: readonly string[]) => readonly string[];
};

/** Opens the door. Each attempt at each provider is rendered, reserved, judged, journalled and booked separately. */
export function openModelDoor(parts: ModelDoorParts): ModelDoor {
  const cascade = openCascade(parts.providers, parts.cascade);
  const attemptParts = withCaches(parts);
  return {
    cascade: cascade.names,
    setCascade: cascade.set,
    callModel: async (request, hooks, cancel) => {
      const tries: FailedTry[] = [];
      const deadline = parts.clock() + parts.timeouts.cascadeMs;
      for (const name of request.cascade ?? cascade.names()) {
        const provider = parts.providers.get(name);
        const chosen = parts.selector?.(name, request) ?? null;
        if (provider === undefined) {
          const message = "no provider of this name is set up";
          tries.push({ provider: name, attempt: 0, code: "unknown-provider", message });
        } else if (chosen !== "skip") {
          const asked = { provider, model: chosen ?? provider.model, request, deadline, tries };
          const answer = await ask({ ...attemptParts, jitter: parts.jitter }, asked, hooks, cancel);
          if (answer !== null) return answer;
        }
        if (cancel.aborted) return { ok: false, code: "stopped", reason: "Stopped.", tries };
        if (parts.clock() >= deadline) break;
      }
      return { ok: false, ...describeCascadeFailure(tries), tries };
    },
  };
}

type Question = {
  readonly provider: Provider;
  readonly model: string;
  readonly request: ModelCallRequest;
  readonly deadline: number;
  /** Each failed attempt is added here. */
  readonly tries: FailedTry[];
};

/** Asks one provider, again after failures that allow it; null if the next provider should be asked. */
async function ask(
  parts: CachedAttemptParts & Pick<ModelDoorParts, "jitter">,
  { provider, model, request: wanted, deadline, tries }: Question,
  hooks: ModelCallHooks,
  cancel: AbortSignal,
): Promise<ModelOutcome | null> {
  const { turn, origin } = wanted;
  const record = await provider.recordOf(model);
  const { prices } = record;
  let request = requestFor(provider, record, wanted);
  let trimmed = false;
  for (let count = 1; !cancel.aborted; count += 1) {
    const result = await attemptCall(
      parts,
      { turn, origin, provider, request, prices, number: count, deadline },
      hooks,
      cancel,
    );
    if (result.status === "answered") return answered(provider, model, result, tries);
    tries.push({ provider: provider.name, attempt: count, ...codeOf(result) });
    if (result.status === "refused-here") return null;
    const { failure } = result;
    if (failure.code === "cancelled") return null;
    if (result.shown) hooks.onReset(`${provider.name}: ${failure.message}`);
    const shorter: ModelRequest | null =
      failure.code === "too-long" && !trimmed ? trimRequest(request, wanted.keepLast) : null;
    const pause = shorter === null ? retryDelay(failure, count, parts.jitter()) : 0;
    if (pause === null || parts.clock() + pause >= deadline) return null;
    if (shorter !== null) request = shorter;
    trimmed ||= shorter !== null;
    if (pause > 0) await parts.wait(pause, cancel);
  }
  return null;
}

/** A model without native tool calls gets no tools; its system text describes them. */
function requestFor(
  { callsTools }: Provider,
  { model, maxOutputTokens: most }: ModelRecord,
  wanted: ModelCallRequest,
): ModelRequest {
  const { system, formSystem, messages, tools, stableMessages } = wanted;
  const maxOutputTokens = Math.min(wanted.maxOutputTokens ?? most, most);
  return callsTools
    ? { model, system, messages, tools, maxOutputTokens, stableMessages }
    : { model, system: formSystem, messages, tools: [], maxOutputTokens, stableMessages };
}

function codeOf(result: Exclude<AttemptResult, { status: "answered" }>): Pick<FailedTry, "code" | "message"> {
  return result.status === "failed"
    ? { code: result.failure.code, message: result.failure.message }
    : { code: result.code, message: result.reason };
}

function answered(
  { name: provider, callsTools }: Provider,
  model: string,
  { received, sentLabel, usage, microdollars, priced }: Extract<AttemptResult, { status: "answered" }>,
  tries: readonly FailedTry[],
): ModelOutcome {
  const { text, calls, finishReason, raw } = received;
  return {
    ok: true,
    provider,
    model,
    text,
    calls,
    callsTools,
    finishReason,
    raw,
    sentLabel,
    usage,
    microdollars,
    priced,
    tries,
  };
}
