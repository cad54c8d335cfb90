import type { Json } from "../../signal/json.ts";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ModelRoute } from "../../signal/model-route.ts";
import { describeRest, type ProviderRest } from "../../signal/provider-rest.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import {
  type AttemptParts,
  type AttemptResult,
  attemptCall,
  type CachedAttemptParts,
  type CallOrigin,
  withCaches,
} from "./attempt-call.ts";
import {
  type Candidate,
  type CascadeFailure,
  cheaperThan,
  describeCascadeFailure,
  type FailedTry,
} from "./cascade.ts";
import { CircuitBreaker, type CircuitBreakerParts } from "./circuit-breaker.ts";
import type { FinishReason, ModelCall, ModelRecord, ModelRequest, Provider } from "./model-port.ts";
import type { StreamHooks } from "./receive-answer.ts";
import { retryDelay } from "./retry-delay.ts";
import type { TokenUsage } from "./token-usage.ts";
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
  /** The models that are asked, in order, and no others, with what chose them; null for the order of the settings. */
  readonly route: Pick<ModelRoute, "by" | "asked"> | null;
};

/** What a call shows while it runs. */
export type ModelCallHooks = StreamHooks;

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

/** What the door needs. `jitter` gives numbers from 0 up to 1. */
export type ModelDoorParts = AttemptParts &
  CircuitBreakerParts & {
    readonly providers: ReadonlyMap<string, Provider>;
    /** The names of providers in the order in which they are asked. */
    readonly cascade: readonly string[];
    readonly jitter: () => number;
  };

/** The only way to every model. */
export type ModelDoor = {
  readonly callModel: (
    request: ModelCallRequest,
    hooks: ModelCallHooks,
    cancel: AbortSignal,
  ) => Promise<ModelOutcome>;
  /** The names of providers in the order in which they are asked, each once. */
  readonly cascade: readonly string[];
};

/** Opens the door. Each attempt at each provider is rendered, reserved, judged, journalled and booked separately. */
export function openModelDoor(parts: ModelDoorParts): ModelDoor {
  const cascade = [...new Set(parts.cascade)];
  const breaker = new CircuitBreaker(parts);
  const caller = { ...withCaches(parts), jitter: parts.jitter, breaker };
  return {
    cascade,
    callModel: async (request, hooks, cancel) => {
      await breaker.ready();
      const tries: FailedTry[] = [];
      const candidates = candidatesOf(parts, request, cascade, tries);
      const now = parts.clock();
      const call = { request, tries, deadline: now + parts.timeouts.cascadeMs };
      const answer =
        (await askInTurn(caller, candidates, call, hooks, cancel)) ??
        (await askInTurn(caller, cheaperThan(candidates, tries), call, hooks, cancel));
      if (answer !== null) return answer;
      if (cancel.aborted) return { ok: false, code: "stopped", reason: "Stopped.", tries };
      return { ok: false, ...describeCascadeFailure(tries), tries };
    },
  };
}

type Caller = CachedAttemptParts & Pick<ModelDoorParts, "jitter"> & { readonly breaker: CircuitBreaker };

/** One call of the door. Each failed attempt is added to `tries`; an answer has to begin before `deadline`, in Unix milliseconds. */
type CascadeCall = {
  readonly request: ModelCallRequest;
  readonly tries: FailedTry[];
  readonly deadline: number;
};

/** The providers that a call may ask, in order. Names that no provider has are noted. */
function candidatesOf(
  { providers }: ModelDoorParts,
  request: ModelCallRequest,
  cascade: readonly string[],
  tries: FailedTry[],
): readonly Candidate[] {
  const asked = request.route?.asked ?? cascade.map((provider) => ({ provider, model: null }));
  return asked.flatMap(({ provider: name, model }) => {
    const provider = providers.get(name);
    const withheld = provider?.withheld?.() ?? null;
    if (provider !== undefined && withheld === null) return [{ provider, model: model ?? provider.model }];
    const code = withheld === null ? "unknown-provider" : "locked";
    const message = withheld?.replace(/\.$/, "") ?? "no provider of this name is set up";
    tries.push({ provider: name, attempt: 0, code, message });
    return [];
  });
}

/**
 * Asks the candidates that do not rest, each with its share of the time. Where none of them answered, the one whose rest ends first is asked
 * nevertheless, unless it asked for that time itself.
 */
async function askInTurn(
  caller: Caller,
  candidates: readonly Candidate[],
  call: CascadeCall,
  hooks: ModelCallHooks,
  cancel: AbortSignal,
): Promise<ModelOutcome | null> {
  const { clock, breaker } = caller;
  const { tries, deadline } = call;
  const resting: { readonly candidate: Candidate; readonly rest: ProviderRest }[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const rest = breaker.restOf(candidate.provider, candidate.model);
    if (rest === null) {
      const ready = candidates
        .slice(index)
        .filter(({ provider, model }) => breaker.restOf(provider, model) === null);
      const beginBy = clock() + (deadline - clock()) / ready.length;
      const answer = await ask(caller, { ...call, ...candidate, beginBy }, hooks, cancel);
      if (answer !== null) return answer;
    } else {
      resting.push({ candidate, rest });
      const message = describeRest(rest, clock());
      tries.push({ provider: candidate.provider.name, attempt: 0, code: "resting", message });
    }
    if (cancel.aborted || clock() >= deadline) return null;
  }
  const [soonest] = resting
    .filter(({ rest }) => !rest.isWanted)
    .sort((one, other) => one.rest.until - other.rest.until);
  return soonest === undefined
    ? null
    : await ask(caller, { ...call, ...soonest.candidate, beginBy: deadline }, hooks, cancel);
}

type Question = CascadeCall & Candidate & { readonly beginBy: number };

/** An answer that began may take so many times the cascade's time. */
const answerTimes = 5;

/** Asks one provider, again after failures that allow it, and lets it rest if it failed; null if the next provider should be asked. */
async function ask(
  caller: Caller,
  question: Question,
  hooks: ModelCallHooks,
  cancel: AbortSignal,
): Promise<ModelOutcome | null> {
  const { provider, model, request: wanted, beginBy, deadline, tries } = question;
  const { turn, origin, route } = wanted;
  const isProbe = caller.breaker.isProbe(provider, model);
  using _asking = caller.breaker.ask(provider, model);
  const record = await provider.recordOf(model);
  const { prices, origin: from, inputs } = record;
  const endBy = deadline + answerTimes * caller.timeouts.cascadeMs;
  const asked = { turn, origin, route: route?.by ?? null, provider, prices, price: from.prices, inputs };
  let request = requestFor(provider, record, wanted);
  let trimmed = false;
  for (let number = 1; !cancel.aborted; number += 1) {
    const attempt = { ...asked, request, number, beginBy, endBy };
    const result = await attemptCall(caller, attempt, hooks, cancel);
    if (result.status === "answered") {
      await caller.breaker.answered(provider);
      return answered(provider, result, tries);
    }
    tries.push({ provider: provider.name, attempt: number, ...codeOf(result) });
    if (result.status === "refused-here") return null;
    const { failure } = result;
    if (failure.code === "cancelled") return null;
    if (result.shown) hooks.onReset(`${provider.name}: ${failure.message}`);
    const shorter: ModelRequest | null =
      failure.code === "too-long" && !trimmed ? trimRequest(request, wanted.keepLast) : null;
    const pause = shorter !== null ? 0 : isProbe ? null : retryDelay(failure, number, caller.jitter());
    if (pause === null || caller.clock() + pause >= beginBy) {
      await caller.breaker.failed(provider, model, failure);
      return null;
    }
    if (shorter !== null) {
      request = shorter;
      hooks.onNotice(`The prompt was too long for ${provider.name}: its oldest part was left out.`);
    }
    trimmed ||= shorter !== null;
    if (pause > 0) await caller.wait(pause, cancel);
  }
  return null;
}

/** The request for one provider. A model without native tool calls gets no tools; its system text describes them. */
export function requestFor(
  { callsTools }: Pick<Provider, "callsTools">,
  { model, maxOutputTokens: most }: Pick<ModelRecord, "model" | "maxOutputTokens">,
  wanted: Omit<ModelCallRequest, keyof CallOrigin | "keepLast" | "route">,
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
  { name: provider, callsTools, writesThinking }: Provider,
  result: Extract<AttemptResult, { status: "answered" }>,
  tries: readonly FailedTry[],
): ModelOutcome {
  const { received, request, sentLabel, usage, microdollars, priced } = result;
  const { text, calls, finishReason, raw } = received;
  return {
    ok: true,
    provider,
    model: request.model,
    text,
    calls,
    callsTools,
    writesMarks: writesThinking(request.model),
    finishReason,
    maxOutputTokens: request.maxOutputTokens,
    raw,
    sentLabel,
    usage,
    microdollars,
    priced,
    tries,
  };
}
