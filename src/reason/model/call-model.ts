import { describeRest, type ProviderRest } from "../../signal/provider-rest.ts";
import { askProvider, type Caller, type CascadeCall } from "./ask-provider.ts";
import { type AttemptParts, withCaches } from "./attempt-call.ts";
import { type Candidate, cheaperThan, describeCascadeFailure, type FailedTry } from "./cascade.ts";
import { CircuitBreaker, type CircuitBreakerParts } from "./circuit-breaker.ts";
import { RefusedTools } from "./foreign-tools.ts";
import { MeasuredWindows, type WindowRoom } from "./measured-windows.ts";
import type { ModelCallHooks, ModelCallRequest, ModelOutcome } from "./model-call.ts";
import type { ModelRecord, Provider } from "./model-port.ts";
import { ReadingSpeed } from "./reading-speed.ts";
import { type RefusalParts, Refusals } from "./refusals.ts";
import type { SentPrefixParts } from "./sent-prefix.ts";

/** What the door needs. `jitter` gives numbers from 0 up to 1. */
export type ModelDoorParts = AttemptParts &
  CircuitBreakerParts &
  RefusalParts &
  SentPrefixParts & {
    readonly providers: Pick<ReadonlyMap<string, Provider>, "get">;
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
  /** What fits into a model by its record and by what its provider said since. */
  readonly roomOf: (provider: string, record: ModelRecord) => WindowRoom;
};

/** Opens the door. Each attempt at each provider is rendered, reserved, judged, journalled and booked separately. */
export function openModelDoor(parts: ModelDoorParts): ModelDoor {
  const cascade = [...new Set(parts.cascade)];
  const breaker = new CircuitBreaker(parts);
  const refusals = new Refusals(parts);
  const refusedTools = new RefusedTools();
  const windows = new MeasuredWindows(parts.clock);
  const { jitter, sentPrefixes, report } = parts;
  const speed = new ReadingSpeed();
  const own = { jitter, breaker, refusals, refusedTools, windows, speed, sentPrefixes, report };
  const caller = { ...withCaches(parts), ...own };
  return {
    cascade,
    roomOf: (provider, record) => windows.roomOf(provider, record),
    callModel: async (request, hooks, cancel) => {
      await Promise.all([breaker.ready(), refusals.ready()]);
      const tries: FailedTry[] = [];
      const candidates = candidatesOf(parts, request, cascade, tries);
      const extra = extraTime(caller, candidates, request);
      const call = { request, tries, deadline: parts.clock() + parts.timeouts.cascadeMs + extra };
      const answer =
        (await askInTurn(caller, candidates, call, hooks, cancel)) ??
        (await askInTurn(caller, cheaperThan(candidates, tries), call, hooks, cancel));
      if (answer !== null) return answer;
      if (cancel.aborted) return { ok: false, code: "stopped", reason: "Stopped.", tries };
      return { ok: false, ...describeCascadeFailure(tries), tries };
    },
  };
}

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
    const { wordsFor = name } = request;
    if (provider !== undefined && !provider.local && name !== wordsFor) {
      const message = `does not get what you sent to ${wordsFor} with /send`;
      tries.push({ provider: name, attempt: 0, code: "for-another", message });
      return [];
    }
    if (provider !== undefined && withheld === null) return [{ provider, model: model ?? provider.model }];
    const code = withheld === null ? "unknown-provider" : "locked";
    const message = withheld?.replace(/\.$/, "") ?? "no provider of this name is set up";
    tries.push({ provider: name, attempt: 0, code, message });
    return [];
  });
}

/**
 * Milliseconds that servers on this machine need beyond the limit for all, to read the prompt, asked in this
 * order.
 */
function extraTime(
  { speed, timeouts }: Caller,
  candidates: readonly Candidate[],
  request: ModelCallRequest,
): number {
  return candidates
    .map(({ provider, model }, index) => {
      const others = index === candidates.length - 1 ? null : timeouts.firstTokenMs;
      return speed.patienceFor(provider, model, request, others) - timeouts.firstTokenMs;
    })
    .reduce((sum, beyond) => sum + Math.max(0, beyond), 0);
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
      const extra = extraTime(caller, ready, call.request);
      const shared = Math.max(0, deadline - clock() - extra);
      const own = extra - extraTime(caller, ready.slice(1), call.request);
      const beginBy = clock() + own + shared / ready.length;
      const isLast = ready.length === 1;
      const answer = await askProvider(caller, { ...call, ...candidate, beginBy, isLast }, hooks, cancel);
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
    : await askProvider(
        caller,
        { ...call, ...soonest.candidate, beginBy: deadline, isLast: true },
        hooks,
        cancel,
      );
}
