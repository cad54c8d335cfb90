import { isPublicTool } from "../../signal/is-public-tool.ts";
import { consensusRoute } from "../../signal/spending.ts";
import { type AttemptResult, attemptCall, type CachedAttemptParts, type CallOrigin } from "./attempt-call.ts";
import type { Candidate, FailedTry } from "./cascade.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { describeReduced, type Reduced, type RefusedTools, withoutForeignTools } from "./foreign-tools.ts";
import type { MeasuredWindows } from "./measured-windows.ts";
import { RequestMender } from "./mend-request.ts";
import type { ModelCallHooks, ModelCallRequest, ModelOutcome } from "./model-call.ts";
import type { ModelFailure, ModelRecord, ModelRequest, Provider } from "./model-port.ts";
import type { ReadingSpeed } from "./reading-speed.ts";
import type { Refusals } from "./refusals.ts";
import { retryDelay } from "./retry-delay.ts";
import { noteSent, type SentPrefixParts } from "./sent-prefix.ts";

/** What asking needs. `jitter` gives numbers from 0 up to 1. */
export type Caller = CachedAttemptParts &
  SentPrefixParts & {
    readonly jitter: () => number;
    readonly breaker: CircuitBreaker;
    readonly refusals: Refusals;
    readonly refusedTools: RefusedTools;
    readonly windows: MeasuredWindows;
    readonly speed: ReadingSpeed;
  };

/**
 * One call of the door. Each failed attempt is added to `tries`; an answer has to begin before `deadline`,
 * in Unix milliseconds.
 */
export type CascadeCall = {
  readonly request: ModelCallRequest;
  readonly tries: FailedTry[];
  readonly deadline: number;
};

/** `isLast`: no other provider is ready to answer in its place. */
type Question = CascadeCall & Candidate & { readonly beginBy: number; readonly isLast: boolean };

/** An answer that began may take so many times the cascade's time. */
const answerTimes = 5;

/**
 * Asks one provider, again after failures that allow it, and with another request where it refuses this one;
 * lets it rest if it failed. Null if the next provider should be asked.
 */
export async function askProvider(
  caller: Caller,
  question: Question,
  hooks: ModelCallHooks,
  cancel: AbortSignal,
): Promise<ModelOutcome | null> {
  const { provider, model, request: wanted, beginBy, deadline, tries } = question;
  const isProbe = caller.breaker.isProbe(provider, model);
  using _asking = caller.breaker.ask(provider, model);
  const record = caller.windows.apply(provider.name, await provider.recordOf(model));
  const endBy = deadline + answerTimes * caller.timeouts.cascadeMs;
  const others = question.isLast ? null : caller.timeouts.firstTokenMs;
  const patience = caller.speed.patienceFor(provider, model, wanted, others);
  const firstTokenMs = Math.max(caller.timeouts.firstTokenMs, patience);
  const asked = { ...askedOf(wanted, provider, record), beginBy, endBy, firstTokenMs };
  const attempt = (request: ModelRequest, number: number) => ({ ...asked, request, number });
  const mender = new RequestMender(provider.name, wanted.keepLast, (request) =>
    attemptCall(caller, attempt(request, 0), silent, cancel),
  );
  const offered = caller.refusedTools.leaveOut(provider.name, requestFor(provider, record, wanted));
  const { tools } = offered;
  const mending = { caller, provider, model, mender, tools, tell: tellOnce(caller, hooks) };
  let sent: SentRequest = { request: caller.refusals.apply({ provider, model }, offered), proves: null };
  for (let [number, same] = [1, 1]; !cancel.aborted; number += 1, same += 1) {
    const result = await attemptCall(caller, attempt(sent.request, number), hooks, cancel);
    if (result.status === "answered") {
      await caller.breaker.answered(provider);
      await remember(mending, sent);
      await noteAnswered(caller, question, result);
      return answered(provider, result, tries);
    }
    tries.push({ provider: provider.name, attempt: number, ...codeOf(result) });
    if (result.status === "refused-here") return null;
    const { failure } = result;
    if (failure.code === "cancelled") return null;
    if (failure.code === "too-long") caller.windows.note(provider.name, sent.request, failure);
    if (result.shown) hooks.onReset(`${provider.name}: ${failure.message}`);
    const pause = isProbe ? null : retryDelay(failure, same, caller.jitter());
    if (pause !== null && caller.clock() + pause < beginBy) {
      if (pause > 0) await caller.wait(pause, cancel);
      continue;
    }
    const mended = caller.clock() < beginBy ? await mendRequest(mending, sent.request, failure) : null;
    if (cancel.aborted) return null;
    if (mended === null) {
      await caller.breaker.failed(provider, model, failure);
      return null;
    }
    sent = mended;
    // Tries with pauses were made of the request before.
    same = failure.code === "server-error" || failure.code === "empty" ? same : 0;
  }
  return null;
}

/** A request, and what its answer proves: that the provider takes the strict form only, or refuses tools. */
type SentRequest = { readonly request: ModelRequest; readonly proves: "strict" | Reduced | null };

type Mending = {
  readonly caller: Caller;
  readonly provider: Provider;
  readonly model: string;
  readonly mender: RequestMender;
  /** The tools that the provider is not known to refuse. */
  readonly tools: ModelRequest["tools"];
  readonly tell: (notice: string) => void;
};

/** What to send in the place of a refused request; null if nothing mends it. */
async function mendRequest(
  { caller, provider, model, mender, tools, tell }: Mending,
  request: ModelRequest,
  failure: ModelFailure,
): Promise<SentRequest | null> {
  const reduced = withoutForeignTools(request, failure);
  if (reduced !== null) {
    tell(describeReduced(reduced, provider.name, failure));
    return { request: reduced.request, proves: reduced };
  }
  const mended = await mender.mend(request, failure);
  if (mended === null) return null;
  if (mended.refused !== null) await caller.refusals.add({ provider, model }, request, mended.refused);
  if (mended.notice !== null) tell(mended.notice);
  const isStrictTried = mended.request.strict === true && request.strict !== true;
  // That the tools were left out did not mend it.
  return { request: { ...mended.request, tools }, proves: isStrictTried ? "strict" : null };
}

async function remember({ caller, provider, model }: Mending, { request, proves }: SentRequest) {
  if (proves === "strict") await caller.refusals.add({ provider, model }, request, null);
  else if (proves !== null) caller.refusedTools.add(provider.name, proves);
}

/** An answer that is only compared with another goes on from nothing. */
async function noteAnswered(
  caller: Caller,
  { provider, model, request: { origin, route } }: Question,
  { request, usage, begunAfterMs }: Extract<AttemptResult, { status: "answered" }>,
): Promise<void> {
  caller.speed.note(provider, model, usage, begunAfterMs);
  if (route?.by === consensusRoute) return;
  await noteSent(caller, { session: origin.session, provider: provider.name, request, usage });
}

/** Tells each notice of one call once, without secrets. */
function tellOnce({ secrets }: Caller, { onNotice }: ModelCallHooks): (notice: string) => void {
  const told = new Set<string>();
  return (notice) => {
    if (!told.has(notice)) onNotice(secrets.mask(notice));
    told.add(notice);
  };
}

/** What is the same in all attempts of one call at a provider. */
function askedOf(
  { turn, origin, route }: ModelCallRequest,
  provider: Provider,
  { prices, origin: { prices: price }, inputs }: ModelRecord,
) {
  return { turn, origin, route: route?.by ?? null, provider, prices, price, inputs };
}

const silent: ModelCallHooks = {
  onText: () => undefined,
  onThinking: () => undefined,
  onNotice: () => undefined,
  onReset: () => undefined,
};

/**
 * The request for one provider. A model without native tool calls gets no tools; its system text describes
 * them. One that is not local is told of no tool whose words are private.
 */
export function requestFor(
  { callsTools, local }: Pick<Provider, "callsTools" | "local">,
  { model, maxOutputTokens: most }: Pick<ModelRecord, "model" | "maxOutputTokens">,
  wanted: Omit<ModelCallRequest, keyof CallOrigin | "keepLast" | "route">,
): ModelRequest {
  const { system, formSystem, messages, stableMessages } = wanted;
  const tools = local ? wanted.tools : wanted.tools.filter(isPublicTool);
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
