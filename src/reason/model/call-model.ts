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
import type { FinishReason, ModelCall, ModelRequest, Provider, TokenUsage } from "./model-port.ts";
import type { StreamHooks } from "./receive-answer.ts";
import { retryDelay } from "./retry-delay.ts";
import { trimRequest } from "./trim-request.ts";

/** What a turn wants from a model, as it knows it: not yet rendered for anybody. */
export type ModelCallRequest = CallOrigin & {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens: number;
  /** How many messages at the end are this turn's own and never dropped when the prompt is too long; at least 1. */
  readonly keepLast: number;
  /** The order that the turn began with; null for the present one. */
  readonly cascade: readonly string[] | null;
};

/** `onReset` withdraws all that this call has shown so far. */
export type ModelCallHooks = StreamHooks & { readonly onReset: (reason: string) => void };

/** What a model call came to. `microdollars` is what this answer cost, an upper bound where `priced` is false. */
export type ModelOutcome =
  | {
      readonly ok: true;
      readonly provider: string;
      readonly model: string;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly finishReason: FinishReason;
      readonly raw: Json;
      /** The label of what the provider was shown, without what was withheld from it. */
      readonly seen: Label;
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

/** Chooses a model for a provider, `skip` to pass it over, or null for the provider's own. */
export type ModelSelector = (provider: string, request: ModelCallRequest) => string | "skip" | null;

/** The powers of the door. `jitter` gives numbers from 0 up to 1. */
export type ModelDoorParts = AttemptParts & {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly cascade: readonly string[];
  readonly selector: ModelSelector | null;
  readonly jitter: () => number;
};

/** The one door to every model. */
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

/** Opens the door. Every try at every provider is rendered, reserved, judged, journalled and booked by itself. */
export function openModelDoor(parts: ModelDoorParts): ModelDoor {
  const cascade = openCascade(parts.providers, parts.cascade);
  const trying = withCaches(parts);
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
          const answer = await ask({ ...trying, jitter: parts.jitter }, asked, hooks, cancel);
          if (answer !== null) return answer;
        }
        if (cancel.aborted) return { ok: false, code: "stopped", reason: "Stopped.", tries };
        if (parts.clock() >= deadline) break;
      }
      return { ok: false, ...describeCascadeFailure(tries), tries };
    },
  };
}

type Asked = {
  readonly provider: Provider;
  readonly model: string;
  readonly request: ModelCallRequest;
  readonly deadline: number;
  /** Grows by each failed try. */
  readonly tries: FailedTry[];
};

/** Asks one provider as often as its failures allow; null where the next one is to be asked. */
async function ask(
  parts: CachedAttemptParts & Pick<ModelDoorParts, "jitter">,
  { provider, model, request: wanted, deadline, tries }: Asked,
  hooks: ModelCallHooks,
  cancel: AbortSignal,
): Promise<ModelOutcome | null> {
  const { turn, origin, system, messages, tools, maxOutputTokens } = wanted;
  let request: ModelRequest = { model, system, messages, tools, maxOutputTokens };
  let trimmed = false;
  for (let count = 1; !cancel.aborted; count += 1) {
    const tried = await attemptCall(
      parts,
      { turn, origin, provider, request, attempt: count, deadline },
      hooks,
      cancel,
    );
    if (tried.status === "answered") return answered(provider.name, model, tried, tries);
    tries.push({ provider: provider.name, attempt: count, ...codeOf(tried) });
    if (tried.status === "refused-here") return null;
    const { failure } = tried;
    if (failure.code === "cancelled") return null;
    if (tried.shown) hooks.onReset(`${provider.name}: ${failure.message}`);
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

function codeOf(tried: Exclude<AttemptResult, { status: "answered" }>): Pick<FailedTry, "code" | "message"> {
  return tried.status === "failed"
    ? { code: tried.failure.code, message: tried.failure.message }
    : { code: tried.code, message: tried.reason };
}

function answered(
  provider: string,
  model: string,
  { heard, seen, usage, microdollars, priced }: Extract<AttemptResult, { status: "answered" }>,
  tries: readonly FailedTry[],
): ModelOutcome {
  const { text, calls, finishReason, raw } = heard;
  return {
    ok: true,
    provider,
    model,
    text,
    calls,
    finishReason,
    raw,
    seen,
    usage,
    microdollars,
    priced,
    tries,
  };
}
